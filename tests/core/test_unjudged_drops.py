"""A drop is explained where fresh unjudged candidates with evidence would undo it, and nowhere else."""

from stages.core.grains import judgments, ranking_keys
from stages.core.side_comparison import compare_scored, compare_sides
from stages.core.unjudged_bounds import unjudged_bounds
from stages.core.unjudged_drops import optimistic_cases
from tests.review_sides import YARDSTICK, case, recording, side

WANTED = case({"a#x": 2})
OLD = side((WANTED, recording("a#x", "b", "c", texts={"b": "none", "c": "none"})))


def optimistic(new_ranking, wanted=WANTED, old=OLD):
    return optimistic_cases(compare_sides(old, side((wanted, new_ranking)))).get("c")


def test_a_fresh_document_with_the_evidence_would_keep_the_case_strong():
    found = optimistic(recording("new#y", "b", "c", "a#x", texts={"b": "none", "c": "none"}))
    assert found is not None
    assert found.level == "strong"


def test_a_fresh_document_without_evidence_explains_nothing():
    assert optimistic(recording("new#y", "b", "c", texts=dict.fromkeys(["new#y", "b", "c"], "none"))) is None


def test_what_stood_there_before_explains_nothing():
    old = side((WANTED, recording("a#x", "b", "c")))
    assert optimistic(recording("b", "c"), old=old) is None


def test_a_judged_document_explains_nothing_though_it_is_fresh():
    wrong = case({"a#x": 2, "new#y": 0})
    assert optimistic(recording("new#y", "b", "c", texts={"b": "none", "c": "none"}), wrong) is None


def test_a_case_that_lost_nothing_is_not_looked_at():
    assert optimistic(recording("a#x", "new#y", "c", texts={"c": "none"})) is None


def test_of_two_reports_nothing_can_be_scored_anew():
    comparison = compare_sides(OLD, side((WANTED, recording("new#y", "b", "c"))))
    assert optimistic_cases(compare_scored(OLD, OLD, comparison.spoken, comparison.scored)) == {}


def test_the_metrics_are_the_upper_bound_where_every_unjudged_candidate_is_fresh():
    """With nothing unjudged from before, it is the bound of `unjudged_bounds`."""
    ranked = recording("new#y", "other#z", "a#x")
    found = optimistic(ranked)
    assert found is not None
    keys = ranking_keys(WANTED.expectations, ranked.candidates, "section")
    bounds = unjudged_bounds(judgments(WANTED.expectations, "section"), keys, ["recall@3", "rr@3"], YARDSTICK.top_k)
    assert found.metrics["recall_at_k"] == bounds["recall@3"].high
    assert found.metrics["mrr"] == bounds["rr@3"].high
