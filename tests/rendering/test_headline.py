"""The first line of the report and of the summary: every case is somewhere in it."""

from made import READY, case, recording

from stages.core.baseline_report import baseline_report
from stages.core.baseline_view import baseline_view
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.recording import PathState
from stages.records.yardstick import Yardstick
from stages.rendering.template import render

YARDSTICK = Yardstick(top_k=3, cutoffs=(1,), primary_grain="section", min_keyword_coverage=0.6, relevance_floor=None)


def test_an_outage_is_told_in_the_words_of_the_thresholds() -> None:
    down = PathState(path="fixture", status="unavailable", code="timeout", reason="nothing came for 30 s")
    cases = [case("a#s", case_id=name) for name in "ab"]
    scored = score_path(cases, replay_path(cases, {}, down, 3, (1,)), YARDSTICK)
    report = baseline_report(scored, [])
    view = baseline_view(report, scored.cases)
    page = render("baseline.md.j2", **view)
    assert "2 cases at topK 3: **0 strong**, 0 medium, 0 miss, **2 unavailable**." in page
    assert "not run" not in page
    assert "<b>2</b><span>unavailable</span>" in render("baseline.html.j2", **view)
    assert render("evaluation.txt.j2", **view).startswith(
        "2 cases at topK 3: 0 strong, 0 medium, 0 miss, 2 unavailable, 0 without an answer\n"
    )


def test_cases_that_are_scored_nowhere_are_counted_beside_the_levels() -> None:
    cases = [
        case("a#s", case_id="found"),
        case("b#s", case_id="lost", unwinnable="no expected document is in the corpus: b"),
        case("a#s", case_id="gone"),
        case(case_id="none"),
    ]
    made = {"found": recording("a#s", case_id="found"), "none": recording(case_id="none")}
    scored = score_path(cases, replay_path(cases, made, READY, 3, (1,)), YARDSTICK)
    report = baseline_report(scored, [])
    page = render("baseline.md.j2", **baseline_view(report, scored.cases))
    words = "\n4 cases at topK 3: **1 strong**, 0 medium, 0 miss, 1 without an answer, **1 not run**, **1 unwinnable**."
    assert words in page, "and without thresholds there is nothing to pass"
    summary = render("summary.txt.j2", report=report, fault_types={}, reports=[])
    assert summary.startswith(
        "pass: 4 cases at topK 3, 1 of them without an answer and so without a level, 1 unwinnable\n"
    )
