"""The stage `load` holds the cases against the corpus."""

import json
import os
import subprocess
import sys
from pathlib import Path

GOLDEN = """\
scenario: s
cases:
  - id: good
    query: q
    expected:
      documents: [{doc_id: mq, section: 原因}]
      evidence: {keywords: [变慢]}
  - id: lost
    query: r
    expected:
      documents: [{doc_id: gone, section: 原因}]
      evidence: {keywords: [变慢]}
"""


def load(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "stages.load"]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_a_case_whose_document_is_gone_is_marked_and_stops_nothing(tmp_path):
    (tmp_path / "data/golden").mkdir(parents=True)
    (tmp_path / "data/corpus").mkdir()
    (tmp_path / "data/golden/a.yaml").write_text(GOLDEN, encoding="utf-8")
    (tmp_path / "data/corpus/mq.md").write_text("## 原因\n消费者变慢\n", encoding="utf-8")
    done = load(tmp_path)
    assert (done.returncode, done.stderr) == (0, "unwinnable: lost; `retrieval-eval check` says what to do\n")
    cases = json.loads((tmp_path / "data/build/cases.json").read_text(encoding="utf-8"))["cases"]
    assert {case["id"]: case["unwinnable"] for case in cases} == {
        "good": None,
        "lost": "no expected document is in the corpus: gone",
    }


def test_one_question_twice_stops_the_load_with_both_places(tmp_path):
    (tmp_path / "data/golden").mkdir(parents=True)
    (tmp_path / "data/corpus").mkdir()
    (tmp_path / "data/golden/a.yaml").write_text(GOLDEN.replace("query: r", "query: Q！"), encoding="utf-8")
    (tmp_path / "data/corpus/mq.md").write_text("## 原因\n消费者变慢\n", encoding="utf-8")
    done = load(tmp_path)
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        (
            "data/golden/a.yaml:9:5: case lost: the query 'Q！' is the same query, but for its spelling, as case good "
            "in data/golden/a.yaml:4. Delete one of the two, or let them ask different things."
        ),
    )
