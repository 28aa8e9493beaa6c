"""The compare stage on a real folder: recordings in, comparison.{json,md} out."""

import json
import re
import sys

import pytest

from stages import compare, retrieve, score
from stages.core.case_building import build_cases
from stages.records.case import CaseFile
from stages.records.recording import Candidate, CaseFailure, PathState, Recording
from stages.storage.golden import read_golden
from stages.storage.json_file import write_json
from stages.storage.recordings import write_path_state, write_recording
from tests.capture_project import PARAMS, Project

CASES = 7
COSINE = {"score": {"kind": "cosine", "better": "higher"}}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one = Project(tmp_path)
    paths = {
        name: {"dir": f"data/fixtures/{name}", "relevance_floor": None} for name in ("fixture", "current", "sidecar")
    }
    one.write_yaml("params.yaml", PARAMS | {"topK": 3, "paths": paths})
    one.cases(CASES)

    def path(name, found, **state):
        for number, candidates in found.items():
            listed = tuple(Candidate(rank=rank, **fields) for rank, fields in enumerate(candidates, 1))
            recording = Recording(case_id=f"case-{number:03d}", query=f"问题 {number}", top_k=3, candidates=listed)
            write_recording(tmp_path / f"data/fixtures/{name}", recording)
        told = {"status": "ready", "captured_at": "2026-01-02T03:04:05Z"} | state
        write_path_state(tmp_path / f"data/fixtures/{name}", PathState(path=name, **told))

    def run():
        cases, _ = build_cases(read_golden([tmp_path / "data/golden"]))
        write_json(tmp_path / "data/build/cases.json", CaseFile(cases=tuple(cases)))
        for name in paths:
            monkeypatch.setattr(sys, "argv", ["x", name, f"data/fixtures/{name}"])
            retrieve.main()
            score.main()
        compare.main()
        docs = tmp_path / "docs/retrieval-eval"
        return json.loads((docs / "comparison.json").read_text("utf-8")), (docs / "comparison.md").read_text("utf-8")

    one.path, one.compare = path, run
    return one


def good(number, **more):
    return {"doc_id": f"doc-{number}", "chunk_id": f"c{number}", "content": "the answer", "score": 0.5} | more


OTHER = {"doc_id": "other", "chunk_id": "x"}
ALL_GOOD = {number: [good(number)] for number in range(CASES)}


def test_a_fresh_clone_has_a_whole_report_that_says_unavailable(project):
    project.path("fixture", ALL_GOOD, captured_at=None)
    found, text = project.compare()
    assert found["readiness"] == {
        "fixture": {"status": "ready", "code": None, "reason": None, "captured_at": None},
        "current": {"status": "unavailable", "code": "not_captured", "reason": "current was never captured",
                    "captured_at": None},
        "sidecar": {"status": "unavailable", "code": "not_captured", "reason": "sidecar was never captured",
                    "captured_at": None},
    }  # fmt: skip
    assert (found["left"], found["stand_in"]) == ("fixture", "current was never captured; fixture stands in for it")
    assert (found["compared"], found["tally"]["wins"], found["tally"]["p_two_sided"]) == (0, 0, 1)
    assert found["cases"][0]["review"] == ["doc-0"]
    assert "**Nothing is compared**" in text
    assert f"| sidecar: unavailable (not_captured) | {len(ALL_GOOD)} | case-000, case-001, case-002 and " in text
    _, folded = text.split(f"\n<details><summary>The cases ({len(ALL_GOOD)})</summary>\n\n")
    rows, after = folded.split("\n\n</details>\n")
    assert rows.splitlines()[2] == "| case-000 | strong | unavailable | 1. `doc-0` |"
    assert len(rows.splitlines()) == 2 + len(ALL_GOOD)
    assert after == ""


def test_wins_ties_and_losses_with_the_exact_test(project):
    project.path("fixture", {})
    project.path("current", {0: [good(0)], 1: [good(1)], 2: [OTHER], 3: [OTHER, good(3)], 4: [good(4)]})
    project.path("sidecar", {0: [good(0)], 1: [OTHER], 2: [good(2)], 3: [good(3)], 4: [OTHER, good(4)]})
    found, text = project.compare()
    assert {case["case_id"]: case["outcome"] for case in found["cases"]} == {
        "case-000": "draw",
        "case-001": "regression",
        "case-002": "win",
        "case-003": "win",
        "case-004": "loss",
        "case-005": None,
        "case-006": None,
    }
    tally = found["tally"]
    assert (tally["wins"], tally["ties"], tally["losses"], tally["regressions"]) == (2, 1, 2, 1)
    assert tally["p_two_sided"] == 1
    assert [(one["left"], one["right"], len(one["cases"])) for one in found["transitions"]] == [
        ("miss", "strong", 1),
        ("strong", "miss", 1),
        ("strong", "strong", 3),
    ]
    recall = next(one for one in found["metrics"] if one["metric"] == "recall_at_k")
    assert recall == {"metric": "recall_at_k", "left": 0.8, "right": 0.8, "change": 0, "n": 5}
    assert "2 won, 1 tied, 2 lost by sidecar, of the lost **1 hit before and now miss**" in text


def test_pairs_where_one_side_was_not_run_are_dropped_on_both_and_said_so(project):
    project.path("fixture", {})
    project.path("current", {0: [good(0)], 1: [good(1)]})
    failed = {"case-001": CaseFailure(state="unavailable", code="http_503", reason="the service answered 503")}
    project.path("sidecar", ALL_GOOD, status="degraded", code="some_failed", failed=failed)
    found, text = project.compare()
    assert found["compared"] == 1
    assert found["left_out"] == [
        {"reason": "current: not_run (not_recorded)", "cases": [f"case-00{n}" for n in range(2, 7)]},
        {"reason": "sidecar: unavailable (http_503)", "cases": ["case-001"]},
    ]
    assert all(row["n"] in {0, 1} for row in found["metrics"])
    assert "| sidecar: unavailable (http_503) | 1 |" in text


def test_an_outage_keeps_the_last_recordings_for_review_and_out_of_every_count(project):
    project.path("fixture", {})
    project.path("current", ALL_GOOD)
    project.path("sidecar", ALL_GOOD, status="unavailable", code="connection_refused", reason="nothing listens")
    found, text = project.compare()
    assert found["readiness"]["sidecar"] == {
        "status": "unavailable",
        "code": "connection_refused",
        "reason": "nothing listens",
        "captured_at": "2026-01-02T03:04:05Z",
    }
    assert (found["left"], found["compared"]) == ("current", 0)
    assert text.index("**unavailable** | `connection_refused` | nothing listens | `2026-01-02T03:04:05Z`") < 400


def test_marks_rules_and_differences(project):
    one, two, three = ({"doc_id": f"d{n}", "chunk_id": f"k{n}", "title": f"T{n}"} for n in range(3))
    project.path("fixture", {})
    project.path("current", {0: [one, two, three | {"category": "faq", "breadcrumb": ("a", "b")}]})
    project.path("sidecar", {0: [two, {"doc_id": "new"}, three | {"source": "x.md", "score_label": "high"}]})
    found, text = project.compare()
    case = found["cases"][0]
    assert [(pair["mark"], pair["rule"]) for pair in case["aligned"]] == [
        ("lost", None),
        ("moved", "chunk_id"),
        ("same", "chunk_id"),
        ("new", None),
    ]
    assert case["aligned"][2]["differences"] == [
        {"field": "source", "left": None, "right": "x.md"},
        {"field": "breadcrumb", "left": "a > b", "right": None},
        {"field": "category", "left": "faq", "right": None},
        {"field": "score_label", "left": None, "right": "high"},
    ]
    assert (case["overlap_at_k"], case["jaccard_at_k"]) == (pytest.approx(2 / 3, abs=1e-6), 0.5)
    assert "| **moved** | 2. `d1` | 1. `d1` | `chunk_id` |" in text
    assert "| category | 0 | 1 |" in text


def test_a_long_report_details_a_hundred_cases_and_names_the_rest(project):
    project.cases(130)
    project.path("fixture", {})
    project.path("current", {number: [OTHER, good(number)] for number in range(130)})
    project.path("sidecar", {number: [good(number), OTHER] for number in range(129)} | {129: [OTHER]})
    found, text = project.compare()
    assert text.count("\n### ") == 100
    assert text.index("### case-129: regression") < text.index("### case-000: win")
    assert "And 30 more, which comparison.json shows in full: `case-099`, `case-100`" in text
    assert sum(1 for case in found["cases"] if case["aligned"]) == 130


@pytest.mark.parametrize(
    ("left", "right", "change", "words"),
    [
        (COSINE, COSINE, 0.25, "both paths declare the same kind of score, so its change is shown"),
        (
            COSINE,
            {"score": {"kind": "l2", "better": "lower"}},
            None,
            "raw scores are not compared: cosine and l2 differ in",
        ),
        (COSINE, {"score": None}, None, "raw scores are not compared: sidecar declares no kind of score"),
        ({}, {}, None, "raw scores are not compared: current and sidecar declare no kind of score"),
    ],
)
def test_raw_scores_are_compared_only_within_one_kind(project, left, right, change, words):
    project.path("fixture", {})
    project.path("current", {0: [good(0)]}, provenance=left)
    project.path("sidecar", {0: [good(0, score=0.75)]}, provenance=right)
    found, _ = project.compare()
    assert found["scores"].startswith(words)
    assert found["cases"][0]["aligned"][0]["score_change"] == change


HOSTILE = "a|b `c` <script>x</script> @everyone\n# h\n[l](http://x) ![i](y)"


def test_hostile_text_stays_text(project):
    hostile = {"doc_id": HOSTILE, "section": HOSTILE, "source": HOSTILE, "score_label": HOSTILE, "category": HOSTILE}
    project.path("fixture", {})
    project.path("current", {0: [hostile, OTHER]})
    project.path("sidecar", {0: [hostile | {"category": "x"}]}, status="degraded", code="partial", reason=HOSTILE)
    _, text = project.compare()
    without_code = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"<script|@everyone|(?<!\\)\[l\]", without_code)
    assert "\n# h" not in text
    assert len([line for line in text.splitlines() if line.startswith("| same")]) == 1


def test_the_same_bytes_twice(project):
    project.path("fixture", ALL_GOOD)
    project.path("sidecar", ALL_GOOD)
    assert project.compare() == project.compare()
