"""diff, gate, accept and show in a clone, with edits that nobody committed yet."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from review_repository import build

from stages.__main__ import _run
from stages.records.problem import InputError

ROOT = Path(__file__).parents[2]
EXPECTED = Path(__file__).parent / "review/show.txt"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("bare"))


@pytest.fixture
def clone(bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shallow clone of main in a working tree of its own."""
    folder = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{bare}", str(folder)], check=True)
    monkeypatch.chdir(folder)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = _run(list(arguments))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def fault(*arguments: str) -> str:
    with pytest.raises(InputError) as caught:
        _run(list(arguments))
    return str(caught.value)


def swap(clone: Path, case: str, first: int, second: int) -> None:
    """Let two candidates of a recording change places."""
    file = clone / f"data/fixtures/baseline/{case}.json"
    recording = json.loads(file.read_text(encoding="utf-8"))
    found = recording["candidates"]
    found[first - 1], found[second - 1] = found[second - 1], found[first - 1]
    for rank, candidate in enumerate(found, 1):
        candidate["rank"] = rank
    file.write_text(json.dumps(recording, ensure_ascii=False), encoding="utf-8")


def test_the_working_tree_is_compared_with_where_main_was_left(clone, capsys):
    swap(clone, "mq-lag-rising", 2, 6)
    code, out, _ = run(capsys, "diff")
    assert code == 0
    assert "the working tree against where main was left" in out
    assert "mq-backlog#核心指标 fell from rank 2 to 6" in out
    assert "note: the working tree: the committed report is not what its evaluator says now: run `dvc repro`" in out


def test_the_screen_in_the_documentation_is_true(bare, capsys, monkeypatch):
    monkeypatch.chdir(bare)
    _, out, _ = run(capsys, "diff", "main", "01-retriever")
    page = (ROOT / "docs/review.md").read_text(encoding="utf-8")
    shown = re.search(r"^\$ retrieval-eval diff main 01-retriever\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1]
    any_commit = re.compile(r"\([0-9a-f]{7}\)")
    assert any_commit.sub("(commit)", shown).strip() == any_commit.sub("(commit)", out).strip()


def test_json_has_the_promised_keys(clone, capsys):
    swap(clone, "mq-lag-rising", 2, 6)
    found = json.loads(run(capsys, "diff", "--json")[1])
    assert found["verdict"] == "fail"
    assert set(found["attribution"]["recall_at_k"]) >= {"retriever", "labels", "yardstick", "total"}
    (transition,) = found["transitions"]
    assert (transition["case_id"], transition["from"], transition["to"]) == ("mq-lag-rising", "strong", "medium")
    assert [cause["code"] for cause in transition["causes"]] == ["fell", "displaced_by", "arms", "evidence_lost"]
    assert [c["case_id"] for c in found["cases"]] == sorted(c["case_id"] for c in found["cases"])


def test_a_failure_is_accepted_expires_and_must_be_promoted(clone, capsys):
    swap(clone, "mq-lag-rising", 2, 6)
    assert run(capsys, "gate")[0] == 1
    code, _, err = run(capsys, "accept", "mq-lag-rising", "--reason", "rewriting: 一月", "--until", "2026-01-31")
    assert (code, err) == (0, "mq-lag-rising is accepted as medium until 2026-01-31; commit data/accepted.yaml\n")
    assert Path("data/accepted.yaml").read_text(encoding="utf-8").splitlines()[1:] == [
        "accepted:",
        "- case: mq-lag-rising",
        "  level: medium",
        "  reason: 'rewriting: 一月'",
        "  until: '2026-01-31'",
    ]
    assert run(capsys, "gate")[0] == 0
    code, out, _ = run(capsys, "gate", "--today", "2026-02-01")
    assert code == 1
    assert "accepted_expired" in out
    swap(clone, "mq-lag-rising", 2, 6)
    code, out, _ = run(capsys, "gate")
    assert code == 1
    assert "accepted failures that are strong now (take them out of the ledger): 1: mq-lag-rising" in out


def test_an_entry_that_has_ended_already_is_not_written(clone, capsys):
    assert fault("accept", "cert-expired", "--reason", "x", "--until", "2019-12-31").startswith(
        "--until: case cert-expired: 2019-12-31 is before the last commit ("
    )
    assert not (clone / "data/accepted.yaml").exists()
    with pytest.raises(SystemExit) as stopped:
        _run(["gate", "--today", "31.12.2026"])
    assert stopped.value.code == 2
    assert "argument --today: '31.12.2026' is no day; write it like 2027-01-31" in capsys.readouterr().err


def test_a_removed_case_is_accepted_as_removed(clone, capsys):
    golden = clone / "data/golden/chat.yaml"
    kept = golden.read_text(encoding="utf-8").replace("none-weather", "none-rain")
    golden.write_text(kept, encoding="utf-8")
    (clone / "data/fixtures/baseline/none-weather.json").unlink()
    assert run(capsys, "gate", "--path", "fixture")[0] in {1, 3}
    assert run(capsys, "accept", "none-weather", "--reason", "asked twice")[0] == 0
    assert "  level: removed\n" in Path("data/accepted.yaml").read_text(encoding="utf-8")
    assert "cases that left the golden set: 0, at most 0 allowed (1 accepted)" in run(capsys, "gate")[1]


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("mq-dead-letter", "data/golden/alerts.yaml:47: case mq-dead-letter: the case is strong now."),
        ("no-such", "data/golden: case no-such: no golden file has such a case, here or at "),
    ],
)
def test_what_cannot_be_accepted_is_told(case, words, clone):
    del clone
    assert fault("accept", case, "--reason", "x").startswith(words)


def test_a_ledger_with_faults_is_told_with_its_place(clone):
    entry = "- {case: cert-expired, level: miss, reason: r, until: 2026-01-31}\n"
    (clone / "data/accepted.yaml").write_text(f"accepted:\n{entry}{entry}", encoding="utf-8")
    assert fault("gate") == (
        "data/accepted.yaml:3:3: case cert-expired: the case is accepted twice. Keep one of the two entries."
    )
    (clone / "data/accepted.yaml").write_text("accepted:\n- {case: cert-expired, level: bad}\n", encoding="utf-8")
    assert "accepted[1].level is 'bad', which is none of 'medium', 'miss' or 'removed'" in fault("gate")


def test_floors_that_mean_nothing_are_refused_before_any_verdict(clone):
    params = clone / "params.yaml"
    params.write_text(params.read_text().replace("recall_at_k: 0.5", "recall_at_k: 1.5"))
    assert fault("gate").startswith("params.yaml:13:3: thresholds.recall_at_k is 1.5, which no share can reach.")


def test_a_base_that_is_broken_is_named_with_its_revision(clone):
    golden = clone / "data/golden/alerts.yaml"
    broken = golden.read_text(encoding="utf-8")
    golden.write_text("cases: [", encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "-qam", "broken"], check=True)
    golden.write_text(broken, encoding="utf-8")
    head = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout[:7]
    assert fault("diff", "HEAD").startswith(f"{head}:data/golden/alerts.yaml:1:")


def test_a_project_without_a_golden_set_in_base_has_floors_alone(clone, capsys):
    del clone
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    empty = subprocess.run(
        ["git", *author, "commit-tree", "-m", "empty", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    code, out, _ = run(capsys, "gate", empty)
    assert code == 0
    assert "BASE has no golden cases: nothing to compare with, only floors and limits hold" in out


def test_two_report_folders_are_compared_without_anything_else(clone, tmp_path, capsys):
    for name in ("old", "new"):
        if name == "new":
            swap(clone, "mq-lag-rising", 2, 6)
        fixtures = ["--fixtures", "data/fixtures/baseline", "--output", str(tmp_path / name)]
        assert run(capsys, "evaluate", *fixtures)[0] == 0
    found = json.loads(run(capsys, "diff", str(tmp_path / "old"), str(tmp_path / "new" / "baseline.json"), "--json")[1])
    recall = found["attribution"]["recall_at_k"]
    assert (recall["retriever"], recall["labels"], recall["yardstick"]) == (None, None, None)
    assert recall["total"] == round(recall["new"] - recall["old"], 6) < 0
    (transition,) = found["transitions"]
    assert (transition["from"], transition["to"]) == ("strong", "medium")
    assert transition["causes"][0]["message"].startswith("mq-backlog#核心指标 was at rank 2 and is not among the 5")
    assert run(capsys, "gate", str(tmp_path / "old"), str(tmp_path / "new"))[0] == 1


def test_a_report_against_a_revision_is_refused(clone):
    del clone
    for sides in (["docs/retrieval-eval"], ["HEAD", "docs/retrieval-eval"], ["docs/retrieval-eval", "no/such"]):
        assert fault("diff", *sides) == (
            "docs/retrieval-eval: a report is compared with a report alone, since it holds no recordings. "
            "Name two reports, or revisions."
        )


def test_reports_of_other_metric_semantics_are_not_compared(clone, tmp_path, capsys):
    del clone
    run(capsys, "evaluate", "--output", str(tmp_path / "old"))
    summary = tmp_path / "old/baseline.json"
    summary.write_text(summary.read_text(encoding="utf-8").replace('"metric_semantics": 1', '"metric_semantics": 9'))
    assert fault("diff", str(tmp_path / "old"), str(tmp_path / "old")) == (
        f"{summary}: the report is of metric semantics 9, not 1. "
        "Numbers of two semantics are not compared: score the inputs anew."
    )


def test_junit_has_each_case_as_a_test_on_its_golden_line(clone, tmp_path, capsys):
    swap(clone, "mq-lag-rising", 2, 6)
    run(capsys, "gate", "--junit", str(tmp_path / "gate.xml"))
    suite = ET.parse(tmp_path / "gate.xml").getroot()[0]  # noqa: S314 - our own file
    tests = {test.get("name"): test for test in suite}
    assert (suite.get("failures"), suite.get("skipped")) == ("2", "1")
    failed = tests["mq-lag-rising"]
    assert (failed.get("file"), failed.get("line"), failed[0].tag) == ("data/golden/alerts.yaml", "58", "failure")
    assert tests["cert-expired"][0].tag == "skipped"
    assert len(tests["mq-dead-letter"]) == 0


def test_a_case_whose_level_stands_is_blamed_with_the_metric_that_fell(clone, capsys):
    golden, params = clone / "data/golden/alerts.yaml", clone / "params.yaml"
    row = "    - doc_id: mq-backlog\n      section: 核心指标\n      relevance: 2\n"
    text = golden.read_text(encoding="utf-8")
    assert row in text
    golden.write_text(text.replace(row, row + row.replace("核心指标", "没有的")), encoding="utf-8")
    params.write_text(params.read_text().replace("recall_at_k: 1.0", "recall_at_k: 0.1"))
    err = run(capsys, "gate", "--annotations")[2]
    assert (
        "max_drop recall_at_k: strong; recall_at_k 1.000 → 0.500: labels: mq-backlog#没有的 added (relevance 2)" in err
    )
    assert "ledger" not in err


def test_a_blamed_entry_of_the_ledger_is_told_with_its_reason(clone, capsys):
    del clone
    run(capsys, "accept", "cert-expired", "--reason", "needs rewriting", "--until", "2030-01-31")
    err = run(capsys, "gate", "--annotations", "--today", "2030-02-01")[2]
    assert "accepted_expired: miss; accepted: needs rewriting" in err


def test_annotations_stand_on_the_golden_line(clone, capsys):
    swap(clone, "mq-lag-rising", 2, 6)
    err = run(capsys, "gate", "--annotations")[2]
    assert err.startswith(
        "::error file=data/golden/alerts.yaml,line=58,title=mq-lag-rising::max_strong_drops: strong → medium: "
    )


def put_down(clone):
    """Let the service of the path be down, as a capture writes it."""
    file = clone / "data/fixtures/baseline/recording.json"
    down = {"status": "unavailable", "code": "connection_refused", "reason": "nothing listens at the address"}
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | down), encoding="utf-8")


WITHOUT_REASON = ("gate --annotations", "diff", "diff --markdown", "show mq-lag-rising", "gate --junit out.xml")


@pytest.mark.parametrize("arguments", WITHOUT_REASON)
@pytest.mark.parametrize("whole", [False, True])
def test_a_fault_without_a_reason_is_told_in_words(clone, capsys, arguments, whole):
    folder = clone / "data/fixtures/baseline"
    if whole:
        (folder / "recording.json").write_text('{"path": "fixture", "status": "unavailable"}', encoding="utf-8")
    else:
        fault = {"case_id": "mq-lag-rising", "query": "q", "top_k": 5, "state": "error"}
        (folder / "mq-lag-rising.json").write_text(json.dumps(fault), encoding="utf-8")
    told = "".join(run(capsys, *arguments.split())[1:])
    told += (clone / "out.xml").read_text(encoding="utf-8") if "junit" in arguments else ""
    assert "None" not in told
    assert "no reason was recorded" in told


CAUSE = "unavailable: nothing listens at the address"
CASES = "cache-hot-key, cert-expired, dns-resolve-fails and 5 more"


def test_an_outage_of_a_path_is_one_annotation_and_not_one_a_case(clone, capsys):
    put_down(clone)
    notes = run(capsys, "gate", "--annotations")[2].splitlines()
    first = f"::error file=params.yaml,line=1,title=gate%3A 8 cases of fixture::{CAUSE} ({CASES})"
    assert notes[0] == first
    assert [note for note in notes if "data/golden" in note] == []
    assert [note.split("title=")[1].split("::")[0] for note in notes[1:]] == [
        "gate%3A scored",
        "gate%3A recall_at_k",
        "gate%3A max_unavailable",
        "gate%3A comparable",
        "gate%3A keep_last_strong fault_type",
    ]


def test_an_outage_of_a_path_is_one_paragraph_of_the_review(clone, capsys):
    put_down(clone)
    shown = run(capsys, "diff")[1]
    assert f"\n  8 cases: it is {CAUSE} ({CASES})\n" in shown
    assert "-> unavailable" not in shown
    comment = run(capsys, "diff", "--markdown")[1]
    assert f"\n**8 cases**: it is {CAUSE} ({CASES}).\n" in comment
    assert "→ unavailable" not in comment


def test_an_outage_of_a_path_is_one_failing_test_and_its_cases_are_skipped(clone, tmp_path, capsys):
    put_down(clone)
    run(capsys, "gate", "--junit", str(tmp_path / "gate.xml"))
    suite = ET.parse(tmp_path / "gate.xml").getroot()[0]  # noqa: S314 - our own file
    found = {test.get("name"): test for test in suite}
    assert found[f"fixture {CAUSE}"][0].get("message") == f"8 cases ({CASES})"
    assert found[f"fixture {CAUSE}"][0].tag == "error"
    assert {test[0].tag for test in suite if test.get("classname").startswith("golden.")} == {"skipped"}


@pytest.mark.parametrize("count", [1, 3])
def test_a_few_cases_without_a_ranking_are_told_one_by_one(clone, count, tmp_path, capsys):
    for file in sorted((clone / "data/fixtures/baseline").glob("mq-*.json"))[:count]:
        file.unlink()
    notes = run(capsys, "gate", "--annotations", "--junit", str(tmp_path / "gate.xml"))[2].splitlines()
    assert sum("data/golden/alerts.yaml" in note and "no recording" in note for note in notes) == count
    suite = ET.parse(tmp_path / "gate.xml").getroot()[0]  # noqa: S314 - our own file
    golden = [test for test in suite if test.get("classname").startswith("golden.")]
    assert sum(len(test) == 1 and "no recording" in test[0].get("message") for test in golden) == count
    assert "skipped" not in {test[0].tag for test in golden if len(test) and "no recording" in test[0].get("message")}


def test_annotations_are_no_more_than_github_shows(clone, capsys):
    floors = "  group_floors: {fault_type: {recall_at_k: 1.0, hit_at_k: 1.0, mrr: 1.0, precision_at_k: 1.0}}\n"
    params = clone / "params.yaml"
    lines = [line for line in params.read_text().splitlines(keepends=True) if "group_floors" not in line]
    params.write_text("".join(lines).replace("gate:\n", f"gate:\n{floors}"))
    rules = json.loads(run(capsys, "gate", "--json")[1])["gate"]["rules"]
    failed = sum(rule["verdict"] != "pass" for rule in rules)
    assert failed > 10
    notes = [note for note in run(capsys, "gate", "--annotations")[2].splitlines() if note.startswith("::error")]
    assert len(notes) == 10
    assert notes[9] == (
        f"::error file=params.yaml,line=1,title=gate%3A more::and {failed - 9} more, which GitHub would not show; "
        "the comment and the JUnit file have them"
    )


def test_show_puts_paths_side_by_side_with_what_matched(clone, capsys):
    params = clone / "params.yaml"
    paths = "paths:\n  second:\n    dir: data/fixtures/second\n    relevance_floor: null\n"
    params.write_text(params.read_text().replace("paths:\n", paths))
    second = clone / "data/fixtures/second"
    second.mkdir()
    (second / "recording.json").write_text('{"path": "second", "status": "ready"}')
    recording = (clone / "data/fixtures/baseline/mq-lag-rising.json").read_text(encoding="utf-8")
    (second / "mq-lag-rising.json").write_text(recording, encoding="utf-8")
    swap(clone, "mq-lag-rising", 1, 2)
    code, out, _ = run(capsys, "show", "mq-lag-rising", "--depth", "6")
    assert code == 0
    assert out == EXPECTED.read_text(encoding="utf-8")


def test_show_as_json_has_the_rungs_of_each_candidate(clone, capsys):
    del clone
    found = json.loads(run(capsys, "show", "mq-lag-rising", "--path", "fixture", "--json")[1])
    assert found["paths"][0]["label"] == "strong"
    second = found["paths"][0]["candidates"][1]
    assert (second["document"], second["section"], second["keywords"]) == ("doc_id", "section", ["records_lag_max"])
    assert len(found["paths"][0]["candidates"]) == found["top_k"] == 5


def test_show_cuts_documents_and_keeps_sections_apart(clone, capsys):
    document = "a-very-long-name-of-a-runbook-which-no-column-holds-beside-three-others-and-more-and-more"
    file = clone / "data/fixtures/baseline/mq-lag-rising.json"
    recording = json.loads(file.read_text(encoding="utf-8"))
    for rank, section in enumerate(("核心指标", "常见原因")):
        recording["candidates"][rank] |= {"doc_id": document, "section": section, "chunk_id": f"{document}#{section}"}
    file.write_text(json.dumps(recording, ensure_ascii=False), encoding="utf-8")
    table = run(capsys, "show", "mq-lag-rising", *["--path", "fixture"] * 3)[1].split("\n\n")[2].splitlines()
    assert [line.count("…#核心指标") for line in table[2:4]] == [3, 0]
    assert [line.count("…#常见原因") for line in table[2:4]] == [0, 3]


def test_show_says_that_there_is_no_such_case(clone):
    del clone
    assert fault("show", "nope") == (
        "nope: no golden file has such a case. Check the name; `id:` in data/golden has it."
    )


def test_the_command_line_ends_with_the_exit_code_and_no_traceback(bare):
    done = subprocess.run(
        [sys.executable, "-m", "stages", "gate", "main", "01-retriever"],
        cwd=bare, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1].startswith("fail (8 cases")
