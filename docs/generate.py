"""Write the parts of the documentation that are made from the code: `python docs/generate.py`.

A test compares them, so they cannot drift.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

Body = dict[str, Any]
ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from metrics_page import metrics_page  # noqa: E402 (the root must be importable first)
from schemas import MODELS, schema_text  # noqa: E402 (the root must be importable first)

from stages import __main__ as command_line  # noqa: E402 (the root must be importable first)


def commands() -> str:
    """Return the reference of the command line."""
    parts = ["# Commands\n\nMade by `python docs/generate.py` from the code.\n"]
    parts += [f"\n| verb | what it does |\n| --- | --- |\n{_overview()}"]
    parts += [f"\n{command_line.EXIT_CODES}"]
    parts += [_verb(verb) for verb in command_line.VERBS]
    return "".join(parts)


def stage_table() -> str:
    """Return the table of the pipeline's stages."""
    stages = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    rows = "".join(_stage(name, stage) for name, stage in stages.items())
    head = "# Stages\n\nMade by `python docs/generate.py` from `dvc.yaml`. Code dependencies are left out here.\n\n"
    return f"{head}| stage | reads | parameters | writes |\n| --- | --- | --- | --- |\n{rows}"


def decisions() -> str:
    """Return the list of decision records."""
    head = "# Decisions\n\nShort records of what a successor would question. Listed by `python docs/generate.py`.\n\n"
    files = sorted((ROOT / "docs/decisions").glob("0*.md"))
    return head + "".join(f"* [{_title(file)}]({file.name})\n" for file in files)


def readme() -> str:
    """Return the README with the true output of the command on its first screen."""
    page = "  data/build/html/baseline.html (a page to look around in)\n"
    return _with_shown("README.md", "summary", f"```text\n{_output('summary')}{page}```")


def runbook_evaluator() -> str:
    """Return the page on retrievers with the true screen and the true JSON, cut after the first case."""
    summary = json.loads(_output("evaluate", "--retriever", "bm25", "--json"))
    summary["results"] = summary["results"][:1]
    screen = _output("evaluate", "--retriever", "all")
    shown = f"```console\n$ retrieval-eval evaluate --retriever all --top-k 3\n{screen}```"
    answer = f"```json\n{json.dumps(summary, ensure_ascii=False, indent=2)}\n```"
    page = "docs/runbook-evaluator.md"
    return _with_shown(page, "answer", answer, _with_shown(page, "screen", shown))


def retrievers() -> str:
    """Return the page on retrievers with the true screen of tuning."""
    with TemporaryDirectory() as folder:
        _output("capture", "bm25", "--out", folder)
        screen = _output("tune", "--bm25", folder)
    return _with_shown("docs/retrievers.md", "tune", f"```console\n$ retrieval-eval tune\n{screen}```")


def authoring() -> str:
    """Return the page on golden files with what `check` says when a keyword of a shipped file is misspelt."""
    before, after = (ROOT / MISSPELT).read_text(encoding="utf-8").split(RIGHT)
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        for name in ("corpus", "corpus-manifest.jsonl"):
            (data / name).symlink_to(ROOT / "data" / name)
        (data / "golden").mkdir()
        (Path(folder) / MISSPELT).write_text(f"{before}{WRONG}{after}", encoding="utf-8", newline="\n")
        screen = _run(Path(folder), "check").stderr
    return _with_shown("docs/authoring.md", "check", f"```console\n$ retrieval-eval check\n{screen}```")


MISSPELT, RIGHT, WRONG = "data/golden/idempotency.yaml", "框架升级后常见", "框架升级后经常"
GENERATED = {
    "README.md": readme,
    "docs/authoring.md": authoring,
    "docs/decisions/README.md": decisions,
    "docs/commands.md": commands,
    "docs/runbook-evaluator.md": runbook_evaluator,
    "docs/metrics.md": metrics_page,
    "docs/retrievers.md": retrievers,
    "docs/stages.md": stage_table,
    **{name: partial(schema_text, name) for name in MODELS},
}


def _output(*arguments: str) -> str:
    return _run(ROOT, *arguments).stdout


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command, environment = [sys.executable, "-m", "stages", *arguments], {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, encoding="utf-8")


def _with_shown(page: str, name: str, shown: str, text: str | None = None) -> str:
    """Return a page (or `text` in its place) with `shown` between its two marks of that name."""
    begin, end = f"<!-- begin {name}: made by `make docs` -->", f"<!-- end {name} -->"
    before, rest = (text or (ROOT / page).read_text(encoding="utf-8")).split(begin)
    return f"{before}{begin}\n{shown}\n{end}{rest.split(end)[1]}"


def _title(file: Path) -> str:
    return file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def _overview() -> str:
    return "".join(f"| [`{verb}`](#{verb}) | {words} |\n" for verb, words in command_line.VERBS.items())


def _verb(verb: str) -> str:
    module = command_line._module(verb)  # noqa: SLF001 (this is the one other reader of the table)
    parser = argparse.ArgumentParser(prog=verb, add_help=False)
    module.add_arguments(parser)
    rows = "".join(_option(action) for action in parser._actions)  # noqa: SLF001 (argparse has no public list)
    text = (module.__doc__ or "").strip()
    return f"\n## {verb}\n\n```text\n{text}\n```\n\n| option | meaning |\n| --- | --- |\n{rows}"


def _option(action: argparse.Action) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings) or f"`{action.metavar or action.dest}`"
    choices = "" if action.choices is None else f" One of {', '.join(f'`{choice}`' for choice in action.choices)}."
    words = (action.help or "").replace("|", "\\|").replace("%%", "%")
    return f"| {names} | {words}{choices} |\n"


def _stage(name: str, stage: Body) -> str:
    body = stage.get("do", stage)
    shown = f"{name}@…" if "do" in stage else name
    reads = _names(dep for dep in body["deps"] if not dep.startswith("stages/"))
    writes = _names(out if isinstance(out, str) else next(iter(out)) for out in _outs(body))
    return f"| `{shown}` | {reads} | {_names(body.get('params', []))} | {writes} |\n"


def _outs(body: Body) -> list[Any]:
    return [*body.get("outs", []), *body.get("metrics", [])]


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def main() -> None:
    """Write every generated page."""
    for name, make in GENERATED.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(make(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
