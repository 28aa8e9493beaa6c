"""`retrieval-eval evaluate` on one's own files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from made import recording

from stages.storage.recordings import write_recording

ROOT = Path(__file__).parents[2]
GOLDEN = """\
scenario: chat_lookup
cases:
  - id: found
    query: where is the lag
    expected: {documents: [{doc_id: a, section: s}], evidence: {keywords: [word]}}
  - id: elsewhere
    query: who pages whom
    expected: {documents: [{doc_id: b}], evidence: {keywords: [word]}}
  - id: absent
    query: never recorded
    expected: {documents: [{doc_id: b}], evidence: {keywords: [word]}}
  - id: unanswerable
    query: what is for lunch
    expected: none
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A golden file and recordings of one's own."""
    (tmp_path / "golden.yaml").write_text(GOLDEN, encoding="utf-8")
    folder = tmp_path / "recorded"
    write_recording(folder, recording("a#s", case_id="found", query="where is the lag"))
    write_recording(folder, recording("a#s", case_id="elsewhere", query="who pages whom"))
    write_recording(folder, recording(case_id="unanswerable", query="what is for lunch"))
    write_recording(folder, recording(case_id="typo", query="x"))
    return tmp_path


def evaluate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "stages", "evaluate", *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


ARGUMENTS = ("--golden", "golden.yaml", "--fixtures", "recorded", "--top-k", "3")


def test_the_screen(own: Path) -> None:
    done = evaluate(own, *ARGUMENTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == """\
4 cases at topK 3: 1 strong, 0 medium, 1 miss, 1 not run, 1 without an answer

  recall_at_k                 0.500  (n 2)
  hit_at_k                    0.500  (n 2)
  precision_at_k              0.167  (n 2)
  mrr                         0.500  (n 2)
  ndcg_at_k                   0.500  (n 2)
  average_first_hit_rank      1.000  (n 1)

  not_run     absent: no recording
  miss        elsewhere: no expected document: expected b; the evidence is in other documents: a; are labels missing?

recordings without a case: typo
"""
    )


def test_an_outage_is_told_once_on_the_screen_and_in_the_report(own: Path) -> None:
    state = {"path": "fixture", "status": "unavailable", "code": "timeout", "reason": "no byte for 30 s"}
    (own / "recorded/recording.json").write_text(json.dumps(state), encoding="utf-8")
    done = evaluate(own, *ARGUMENTS, "--output", "reports")
    assert done.stdout.endswith(
        "\n  4 cases, unavailable: no byte for 30 s (absent, elsewhere, found and 1 more)\n"
        "\nrecordings without a case: typo\n"
    )
    page = (own / "reports/baseline.md").read_text(encoding="utf-8")
    assert "\n| absent, elsewhere, found and 1 more | 4 | unavailable: no byte for 30 s |\n\n" in page
    assert page.count("no byte for 30 s") == 2  # there, and in how it was made


def test_an_error_without_a_reason_is_told_in_words(own: Path) -> None:
    for name, fault in (("found", {}), ("elsewhere", {"code": "timeout"})):
        file = own / f"recorded/{name}.json"
        recorded = {"case_id": name, "query": "where is the lag", "top_k": 3, "state": "error", **fault}
        file.write_text(json.dumps(recorded), encoding="utf-8")
    done = evaluate(own, *ARGUMENTS, "--output", "reports")
    assert "\n  error       found: no reason was recorded\n" in done.stdout
    assert "\n  error       elsewhere: no reason was recorded, only the code timeout\n" in done.stdout
    page = (own / "reports/baseline.md").read_text(encoding="utf-8")
    assert "\n| found | 1 | error: no reason was recorded |\n" in page
    assert "None" not in done.stdout + page


def test_json_on_standard_output_and_words_on_standard_error(own: Path) -> None:
    done = evaluate(own, *ARGUMENTS, "--json", "--output", "reports")
    report = json.loads(done.stdout)
    assert report["metric_semantics"] == 1
    assert report["overall"]["strong"] == 1
    assert [case["level"] for case in report["cases"]] == [None, "miss", "strong", None]
    assert done.stderr == "reports are in reports\n"
    names = sorted(path.name for path in (own / "reports").iterdir())
    assert names == ["baseline.json", "baseline.md", "cases.jsonl", "metrics.json"]
    assert len((own / "reports/cases.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_a_folder_that_is_not_there(own: Path) -> None:
    done = evaluate(own, "--golden", "golden.yaml", "--fixtures", "nowhere")
    assert done.returncode == 2
    assert done.stderr == (
        "nowhere: there is no such folder of recordings. Name it with --fixtures, or capture one.\n1 problem\n"
    )


@pytest.mark.parametrize("value", ["0", "-1", "abc", "1001"])
def test_a_wrong_top_k_is_refused(own: Path, value: str) -> None:
    done = evaluate(own, "--golden", "golden.yaml", "--top-k", value)
    assert done.returncode == 2
    assert "--top-k" in done.stderr
    assert "Traceback" not in done.stderr
