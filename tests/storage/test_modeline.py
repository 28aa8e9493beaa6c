"""The line that names a file's schema: right at every depth, and absent where there is none."""

import os
from pathlib import Path

import pytest

from stages.storage.golden_writer import new_golden
from stages.storage.ledger import write_ledger
from stages.storage.modeline import modeline

HEAD = "# yaml-language-server: $schema="


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project inside another folder, with schemas."""
    folder = tmp_path / "project"
    (folder / "docs/retrieval-eval/schema").mkdir(parents=True)
    for kind in ("accepted", "golden"):
        (folder / f"docs/retrieval-eval/schema/{kind}.schema.json").write_text("{}", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "place", ["a.yaml", "data/golden/a.yaml", "data/golden/deep/er/a.yaml", "docs/retrieval-eval/a.yaml"]
)
def test_the_line_leads_to_the_schema_from_where_the_file_is(project: Path, place: str) -> None:
    file = project / place
    line = modeline(file, "golden")
    assert line.startswith(HEAD)
    assert line.endswith("\n")
    named = os.path.normpath(file.parent / line.removeprefix(HEAD).rstrip())
    assert Path(named) == project / "docs/retrieval-eval/schema/golden.schema.json"


def test_a_relative_place_is_that_of_the_working_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "docs")
    schema = "docs/retrieval-eval/schema/golden.schema.json"
    assert modeline(Path("../data/golden/a.yaml"), "golden") == f"{HEAD}../../{schema}\n"
    assert modeline(Path("a.yaml"), "golden") == f"{HEAD}../{schema}\n"


def test_outside_of_a_project_there_is_no_line(project: Path) -> None:
    assert modeline(project.parent / "elsewhere/a.yaml", "golden") == ""
    assert new_golden(project.parent / "a.yaml", "s", []).startswith("scenario: s\n")


def test_every_file_that_is_begun_has_the_line(project: Path) -> None:
    write_ledger(project / "data/accepted.yaml", [])
    first = (project / "data/accepted.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == f"{HEAD}../docs/retrieval-eval/schema/accepted.schema.json"
    assert new_golden(project / "data/golden/a.yaml", "s", []).startswith(f"{HEAD}../../docs/")
