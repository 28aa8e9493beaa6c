"""DVC follows no imports, so each stage must list exactly the files it is made of."""

import ast
from pathlib import Path

import pytest
import yaml
from import_closure import ROOT, closure

STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]


def definition(name: str) -> dict:
    stage = STAGES[name]
    return stage.get("do", stage)


@pytest.mark.parametrize("name", sorted(STAGES))
def test_a_stage_depends_on_exactly_the_code_it_imports(name: str) -> None:
    stage = definition(name)
    module = stage["cmd"].split()[2]
    code = {dep for dep in stage["deps"] if dep.startswith("stages/")}
    needed = closure(module)
    lines = [f"add:    - {path}" for path in sorted(needed - code)]
    lines += [f"remove: - {path}" for path in sorted(code - needed)]
    assert not lines, f"deps of the stage {name} in dvc.yaml:\n" + "\n".join(lines)


@pytest.mark.parametrize("name", sorted(STAGES))
def test_a_stage_is_started_as_a_module_of_this_repository(name: str) -> None:
    command = definition(name)["cmd"].split()
    assert command[:2] == ["python", "-m"]
    assert command[2].startswith("stages.")


def test_every_file_of_the_stages_folder_is_a_stage_or_the_command_line() -> None:
    named = {definition(name)["cmd"].split()[2].removeprefix("stages.") for name in STAGES}
    files = {path.stem for path in (ROOT / "stages").glob("*.py")} - {"__init__", "__main__"}
    assert files == named


def test_packages_hold_a_docstring_and_nothing_else() -> None:
    for path in (ROOT / "stages").rglob("__init__.py"):
        lines = path.read_text(encoding="utf-8").strip().splitlines()
        assert len(lines) == 1, path
        assert lines[0].startswith('"""'), path


def test_no_module_is_a_drawer_without_a_name() -> None:
    names = {path.stem for path in (ROOT / "stages").rglob("*.py")}
    assert not names & {"utils", "helpers", "common", "misc", "util"}


def test_the_closure_finds_templates_and_what_they_include() -> None:
    found = closure("stages.report")
    assert "stages/rendering/baseline.md.j2" in found
    assert "stages/rendering/macros.md.j2" in found


def test_no_stage_reaches_an_adapter() -> None:
    for name in STAGES:
        module = definition(name)["cmd"].split()[2]
        engines = [path for path in closure(module) if path.startswith("stages/retrievers/")]
        pure = [path for path in engines if "httpx" in (ROOT / path).read_text(encoding="utf-8")]
        assert not pure, name


def test_functions_and_modules_stay_small() -> None:
    """Median function at most 8 lines, none above 40; no module above 300."""
    lengths = []
    for path in (ROOT / "stages").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 300, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                lengths.append(length)
                assert length <= 40, f"{path}: {node.name} has {length} lines"
    assert sorted(lengths)[len(lengths) // 2] <= 8


def test_the_repository_names_no_path_of_a_machine() -> None:
    for path in [*Path(ROOT / "docs").rglob("*.md"), *Path(ROOT / "docs").rglob("*.json"), ROOT / "dvc.lock"]:
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert str(ROOT) not in text, path


def test_the_capture_targets_are_captures_which_an_outage_does_not_fail() -> None:
    targets = yaml.safe_load((ROOT / "stages/capture/dvc.yaml").read_text(encoding="utf-8"))["stages"]
    for name, target in targets.items():
        assert target == {"wdir": "../..", "cmd": f"python -m stages capture {name}", "always_changed": True}
