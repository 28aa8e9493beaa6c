"""A path scored whole: metrics at every grain, states in no mean, groups."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import READY, candidates, case, expectation, recording

from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.case import Case
from stages.records.recording import Recording
from stages.records.scored import ScoredPath
from stages.records.yardstick import Yardstick

YARDSTICK = Yardstick(top_k=3, cutoffs=(1, 5), primary_grain="section", min_keyword_coverage=0.6, relevance_floor=None)


def score(cases: list[Case], recordings: list[Recording], yardstick: Yardstick = YARDSTICK) -> ScoredPath:
    by_case = {made.case_id: made for made in recordings}
    return score_path(cases, replay_path(cases, by_case, READY, yardstick.top_k, yardstick.cutoffs), yardstick)


def metrics(golden: Case, *found: str, **fields: object) -> dict[str, float | None]:
    return score([golden], [recording(*found, **fields)]).cases[0].metrics


def test_headline_metrics_count_by_section_and_the_others_stand_beside() -> None:
    found = metrics(case("a#s", "b#t"), "a#x", "a#s", "b#x")
    assert found["recall_at_k"] == 0.5
    assert found["mrr"] == 0.5
    assert found["average_first_hit_rank"] == 2
    assert found["recall_at_k_document"] == 1.0
    assert found["mrr_document"] == 1.0


def test_precision_keeps_k_as_its_denominator_when_fewer_came_back() -> None:
    assert metrics(case("a#s"), "a#s")["precision_at_k"] == pytest.approx(1 / 3)


def test_a_key_counts_once_and_a_repeat_keeps_its_rank() -> None:
    found = metrics(case("a#s", "b#s"), "a#s", "a#s", "b#s")
    assert found["precision_at_k"] == pytest.approx(2 / 3)
    assert found["recall_at_k"] == 1.0
    assert found["map_at_k"] == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert found["duplicate_rate"] == pytest.approx(1 / 3)


def test_chunk_metrics_use_chunk_ids_and_are_skipped_without_them() -> None:
    golden = case(expectation("a#s", chunk_ids=("a-1", "a-2")))
    made = Recording(case_id="c", query="q", top_k=20, candidates=candidates("a#s", chunk_id="a-2"))
    found = score([golden], [made]).cases[0].metrics
    assert found["recall_at_k_chunk"] == 0.5
    assert found["precision_at_k_chunk"] == pytest.approx(1 / 3)
    assert metrics(case("a#s"), "a#s")["recall_at_k_chunk"] is None


def test_a_cut_off_beyond_the_recorded_depth_has_no_value() -> None:
    found = metrics(case("a#s"), "x", "y", "z", top_k=3)
    assert found["recall_at_k"] == 0.0
    assert found["recall@5"] is None


def test_states_are_in_no_mean_and_are_counted() -> None:
    cases = [case("a#s", case_id="hit"), case("a#s", case_id="gone"), case("a#s", case_id="lost", unwinnable="no doc")]
    scored = score(cases, [recording("a#s", case_id="hit"), recording("a#s", case_id="lost")])
    overall = scored.overall
    assert (overall.cases, overall.scored, overall.strong, overall.not_run, overall.unwinnable) == (3, 1, 1, 1, 1)
    assert overall.metrics["recall_at_k"].value == 1.0
    assert overall.metrics["recall_at_k"].n == 1


def test_nothing_to_average_is_none_and_never_zero() -> None:
    overall = score([case("a#s")], []).overall
    assert overall.metrics["recall_at_k"].value is None
    assert overall.metrics["recall_at_k"].n == 0


def test_a_question_without_an_answer_has_a_metric_of_its_own() -> None:
    cases = [case(case_id="none"), case("a#s")]
    made = [recording("x", case_id="none"), recording("a#s")]
    scored = score(cases, made)
    assert scored.cases[1].false_positives == 1
    assert scored.cases[1].level is None
    assert scored.overall.scored == 1
    assert scored.overall.metrics["false_positive_rate"].value == 1.0
    high = YARDSTICK.model_copy(update={"relevance_floor": 2.0})
    low_score = Recording(case_id="none", query="q", top_k=9, candidates=candidates("x", score=1.0))
    assert score(cases, [low_score, made[1]], high).overall.metrics["false_positive_rate"].value == 0.0


def test_groups_count_each_case_once_a_group_and_once_a_tag() -> None:
    cases = [
        case("a#s", case_id="one", fault_type="MQ_BACKLOG", tags=("x", "y")),
        case("a#s", case_id="two", scenario="aiops_alert"),
    ]
    scored = score(cases, [recording("a#s", case_id="one"), recording("z", case_id="two")])
    groups = {grouping.by: grouping.groups for grouping in scored.groupings}
    assert {name: group.cases for name, group in groups["tag"].items()} == {"(none)": 1, "x": 1, "y": 1}
    assert groups["fault_type"]["MQ_BACKLOG"].strong == 1
    assert groups["scenario"]["aiops_alert"].miss == 1


NAMES = st.lists(st.sampled_from(["a#s", "a#t", "b#s", "c", "d#u"]), max_size=8)


@given(NAMES)
def test_every_ratio_is_between_0_and_1_and_scoring_twice_is_scoring_once(names: list[str]) -> None:
    golden = case("a#s", expectation("b#s", 2), expectation("c", 0))
    found = metrics(golden, *names)
    assert found == metrics(golden, *names)
    ranks = {name for name in found if "rank" in name}
    assert all(0 <= value <= 1 for name, value in found.items() if name not in ranks and value is not None)


@given(NAMES, NAMES)
def test_an_irrelevant_tail_changes_no_metric_at_k(names: list[str], tail: list[str]) -> None:
    golden = case("a#s")
    full = [*names, *["d#u"] * (5 - len(names))]
    junk = [f"junk{index}" for index, _ in enumerate(tail)]
    assert metrics(golden, *full) == metrics(golden, *full, *junk)


@given(st.permutations([recording("a#s", case_id=name) for name in ("one", "two", "three")]))
def test_the_order_of_recordings_changes_nothing(made: list[Recording]) -> None:
    cases = [case("a#s", case_id=name) for name in ("two", "three", "one")]
    assert score(cases, made) == score(cases[::-1], made[::-1])
