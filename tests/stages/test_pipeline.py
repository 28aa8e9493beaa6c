"""The pipeline as DVC runs it, in a clone in a folder whose name has a blank."""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = (
    "dvc.yaml",
    "dvc.lock",
    "Makefile",
    "params.yaml",
    ".dvc/config",
    ".dvc/.gitignore",
    ".dvcignore",
    ".gitignore",
    ".gitattributes",
)
pytestmark = pytest.mark.slow


def run(clone: Path, *command: str, code: int | None = 0, **environment: str) -> str:
    """Run a command in the clone and return all it said."""
    done = subprocess.run(
        command,
        cwd=clone,
        env={**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    said = done.stdout + done.stderr
    assert code is None or done.returncode == code, said
    return said


def ran(said: str) -> list[str]:
    """Return the stages that a repro ran, in order."""
    return [line.split("'")[1] for line in said.splitlines() if line.startswith("Running stage")]


def make_clone(folder: Path) -> Path:
    """Copy what git tracks (as it is in the working tree) into a repository of its own."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    clone = folder / "a clone"
    for name in filter(None, tracked.split("\0")):
        if name.startswith(("stages/", "data/", "docs/retrieval-eval/")) or name in KEPT:
            source = ROOT / name
            if source.is_file():
                (clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, clone / name)
    run(clone, "git", "init", "-q", "-b", "main")
    run(clone, "git", "config", "user.email", "test@example.invalid")
    run(clone, "git", "config", "user.name", "test")
    commit(clone, "as it is")
    return clone


def commit(clone: Path, message: str) -> None:
    run(clone, "git", "add", "-A")
    run(clone, "git", "commit", "-q", "--allow-empty", "-m", message)


ODD = """
import os
import socket

def refuse(*args, **kwargs):
    raise RuntimeError("a socket was opened")

socket.socket.connect = refuse
socket.socket.bind = refuse
socket.getaddrinfo = refuse

listdir, scandir = os.listdir, os.scandir

class Backwards(list):
    def __enter__(self):
        return self
    def __exit__(self, *error):
        pass
    def __next__(self):
        if not self:
            raise StopIteration
        return self.pop(0)
    def __iter__(self):
        return self
    def close(self):
        pass

def scan_backwards(path="."):
    with scandir(path) as entries:
        return Backwards(sorted(entries, key=lambda entry: entry.name, reverse=True))

os.scandir = scan_backwards
os.listdir = lambda path=".": sorted(listdir(path), reverse=True)
"""


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone reproduced from no cache, where a socket raises, folders are listed backwards, and all else is odd.

    What is committed was made in another environment, so equal bytes show that the environment does not matter.
    """
    clone = make_clone(tmp_path_factory.mktemp("pipeline"))
    custom = tmp_path_factory.mktemp("custom")
    (custom / "sitecustomize.py").write_text(ODD, encoding="utf-8")
    odd = {"PYTHONHASHSEED": "77", "TZ": "Asia/Seoul", "LANG": "C", "LC_ALL": "C", "PYTHONPATH": str(custom)}
    assert "a socket was opened" in run(clone, sys.executable, "-c", CONNECT, code=1, PYTHONPATH=str(custom))
    assert run(clone, sys.executable, "-c", LIST, PYTHONPATH=str(custom)).startswith("stages params.yaml dvc.yaml")
    said = run(clone, "dvc", "repro", "--force", **odd)
    assert set(ran(said)) == set(run(clone, "dvc", "stage", "list", "--name-only").split())
    assert run(clone, "git", "status", "--porcelain") == "", "commit what `dvc repro` makes"
    return clone


LIST = "from pathlib import Path; print(*(path.name for path in Path().iterdir()))"
CONNECT = "import socket; socket.create_connection(('127.0.0.1', 9))"


@pytest.fixture
def clone(reproduced: Path) -> Path:
    """The reproduced clone, with what is committed."""
    run(reproduced, "git", "checkout", "-q", "-f", "main")
    run(reproduced, "git", "clean", "-fdq")
    return reproduced


def test_a_fresh_clone_reproduces_what_is_committed_and_a_second_repro_does_nothing(clone: Path) -> None:
    assert ran(run(clone, "dvc", "repro")) == []
    assert run(clone, "git", "status", "--porcelain") == ""


def test_an_edited_case_reruns_load_and_what_follows(clone: Path) -> None:
    golden = clone / "data/golden/mq.yaml"
    golden.write_text(golden.read_text(encoding="utf-8").replace("relevance: 3", "relevance: 2", 1), encoding="utf-8")
    stages = ran(run(clone, "dvc", "repro", "report"))
    assert stages == ["load", "retrieve@fixture", "score@fixture", "report"]


def test_an_edited_comment_reruns_load_alone(clone: Path) -> None:
    golden = clone / "data/golden/mq.yaml"
    golden.write_text("# a comment\n" + golden.read_text(encoding="utf-8"), encoding="utf-8")
    assert ran(run(clone, "dvc", "repro", "report")) == ["load"]


def test_an_edited_template_reruns_the_report_alone(clone: Path) -> None:
    template = clone / "stages/rendering/baseline.md.j2"
    template.write_text(template.read_text(encoding="utf-8") + "\nThe end.\n", encoding="utf-8")
    assert ran(run(clone, "dvc", "repro", "report")) == ["report"]
    assert (clone / "docs/retrieval-eval/baseline.md").read_text(encoding="utf-8").endswith("The end.\n")


def test_a_touched_module_reruns_the_stages_that_import_it(clone: Path) -> None:
    module = clone / "stages/core/plot_data.py"
    module.write_text(module.read_text(encoding="utf-8") + "\n# touched\n", encoding="utf-8")
    assert ran(run(clone, "dvc", "repro", "report")) == ["report"]


def test_a_sweep_changes_the_report_and_can_be_compared(clone: Path) -> None:
    before = json.loads((clone / "docs/retrieval-eval/metrics.json").read_text(encoding="utf-8"))
    run(clone, "dvc", "exp", "run", "-S", "topK=10", "report")
    after = json.loads((clone / "docs/retrieval-eval/metrics.json").read_text(encoding="utf-8"))
    assert after["recall_at_k"] >= before["recall_at_k"]
    assert after["recall_at_k"] == before["recall@10"]
    assert "topK 10" in (clone / "docs/retrieval-eval/baseline.md").read_text(encoding="utf-8")
    diff = run(clone, "dvc", "metrics", "diff", "--md")
    assert "| docs/retrieval-eval/metrics.json | recall_at_k " in diff


def test_a_queued_sweep_runs_and_is_shown_with_its_numbers(clone: Path) -> None:
    run(clone, "make", "site-cache")
    run(clone, "dvc", "exp", "run", "-S", "topK=3,7", "--queue", "report")
    said = run(clone, "dvc", "exp", "run", "--run-all")
    assert "Failed" not in said, said
    shown = csv.DictReader(run(clone, "dvc", "exp", "show", "--csv", "--no-pager").splitlines())
    # Other experiments may stand beside these; one that was asked for too many candidates has no recall.
    recall = {row["topK"]: float(row["recall_at_k"]) for row in shown if row["recall_at_k"]}
    assert recall["3"] < recall["5"] < recall["7"]


def test_a_sweep_over_a_wrong_value_gets_one_clear_line(clone: Path) -> None:
    said = run(clone, "dvc", "exp", "run", "-S", "topK=abc", "report", code=None)
    line = "params.yaml:2:1: topK is 'abc', which is no whole number. topK takes a whole number from 1 to 1000."
    assert line in said
    assert "Traceback" not in said


def test_top_k_above_the_recorded_depth_is_not_run_and_never_a_lower_recall(clone: Path) -> None:
    run(clone, "dvc", "exp", "run", "-S", "topK=500", "report")
    report = json.loads((clone / "docs/retrieval-eval/baseline.json").read_text(encoding="utf-8"))
    reasons = {case["reason"] for case in report["cases"] if case["state"] == "not_run"}
    assert report["overall"]["not_run"] > 0
    assert all(reason.endswith(", topK is 500") and reason.startswith("recorded to depth ") for reason in reasons)
    assert (
        report["overall"]["strong"] + report["overall"]["medium"] + report["overall"]["miss"]
        == report["overall"]["scored"]
    )


def test_metrics_diff_against_an_older_commit_shows_deltas(clone: Path) -> None:
    params = clone / "params.yaml"
    params.write_text(params.read_text(encoding="utf-8").replace("topK: 5", "topK: 2"), encoding="utf-8")
    run(clone, "dvc", "repro", "--quiet", "report")
    run(clone, "git", "checkout", "-q", "-B", "change")
    commit(clone, "ask for two")
    changes = json.loads(run(clone, "dvc", "metrics", "diff", "HEAD~1", "--json"))
    run(clone, "git", "checkout", "-q", "main")
    change = changes["docs/retrieval-eval/metrics.json"]["recall_at_k"]
    assert change["diff"] == pytest.approx(change["new"] - change["old"])
    assert change["diff"] < 0


SERVICES = """
services:
  sidecar:
    preset: spring-ai-documents
    request: {url: "http://127.0.0.1:9/"}
    limits: {attempts: 1, give_up_after: 1}
"""


def test_captures_run_only_when_named_and_an_outage_leaves_the_baseline_byte_for_byte(clone: Path) -> None:
    (clone / "services.yaml").write_text(SERVICES, encoding="utf-8")
    assert ran(run(clone, "dvc", "repro")) == []
    said = run(clone, "dvc", "repro", "stages/capture/dvc.yaml:sidecar")
    assert ran(said) == ["stages/capture/dvc.yaml:sidecar"]
    assert "sidecar is unavailable (connection_refused)" in said
    assert ran(run(clone, "dvc", "repro")) == ["retrieve@sidecar", "score@sidecar", "compare"]
    changed = set(run(clone, "git", "diff", "--name-only").split())
    assert changed == {
        "data/fixtures/sidecar/recording.json",
        "docs/retrieval-eval/comparison.json",
        "docs/retrieval-eval/comparison.md",
        "dvc.lock",
    }
    comparison = json.loads((clone / "docs/retrieval-eval/comparison.json").read_text(encoding="utf-8"))
    assert comparison["readiness"]["sidecar"]["code"] == "connection_refused"
