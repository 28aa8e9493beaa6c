"""Twelve pull requests against one main branch: for each, the exact comment, the exit code, and whose doing it is.

The comments are files of `tests/commands/review`; commit ids are replaced, since they follow the format of reports.
"""

import json
import re
from pathlib import Path

import pytest
from review_repository import EDITS, build

from stages.__main__ import _run

COMMENTS = Path(__file__).parent / "review"
EXIT_CODES = {
    "01-retriever": 1,
    "02-labels": 0,
    "03-both": 0,
    "04-evaluator": 0,
    "05-topk": 0,
    "06-section-renamed": 3,
    "07-case-removed": 3,
    "08-renewed": 0,
    "09-tie": 1,
    "10-new-fault-type": 0,
    "11-outage": 2,
    "12-clean": 0,
}
PARTS = ("retriever", "labels", "yardstick")


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("history"))


@pytest.fixture(autouse=True)
def _in_the_repository(history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(history)


def base_of(name: str) -> str:
    return "old-evaluator" if name == "04-evaluator" else "main"


def review(name: str, capsys: pytest.CaptureFixture[str]) -> dict:
    assert _run(["diff", base_of(name), name, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", EDITS)
def test_the_comment_and_the_exit_code_of_each_pull_request(name, tmp_path):
    code = _run(["gate", base_of(name), name, "--markdown", str(tmp_path / "comment.md")])
    comment = re.sub(r"\([0-9a-f]{7}\)", "(0000000)", (tmp_path / "comment.md").read_text(encoding="utf-8"))
    assert comment == (COMMENTS / f"{name}.md").read_text(encoding="utf-8")
    assert code == EXIT_CODES[name]


@pytest.mark.parametrize("name", EDITS)
def test_the_parts_of_each_change_add_up_to_the_whole(name, capsys):
    for metric, found in review(name, capsys)["attribution"].items():
        if found["total"] is not None:
            micro = {part: round(found[part] * 1_000_000) for part in (*PARTS, "total", "old", "new")}
            assert sum(micro[part] for part in PARTS) == micro["total"] == micro["new"] - micro["old"], metric


def test_the_terminal_lists_a_draw_whose_recall_differs(capsys):
    assert _run(["diff", "main", "02-labels"]) == 0
    line = "  dns-slow-outside: strong -> strong, rank 1 -> 1, recall 1.000 -> 0.667 (draw)\n    labels: dns-ndots"
    assert line in capsys.readouterr().out
