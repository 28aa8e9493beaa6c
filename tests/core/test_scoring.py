"""Metric semantics 1 on rankings small enough to check by hand."""

from math import log2

import pytest

from stages.core.scoring import score_queries

JUDGED = {"a": 1, "b": 3, "n": 0}


def score(ranking, *measures, judged=JUDGED):
    return score_queries({"q": judged}, {"q": ranking}, measures)["q"]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("hit@1", 0.0),
        ("hit@2", 1.0),
        ("recall@3", 1 / 2),
        ("recall@4", 1.0),
        ("precision@3", 1 / 3),
        ("precision@10", 2 / 10),
        ("precision", 2 / 4),
        ("rr@1", 0.0),
        ("rr", 1 / 2),
        ("ap@3", (1 / 2) / 2),
        ("ap", (1 / 2 + 2 / 4) / 2),
        ("ndcg@3", (1 / log2(3)) / (3 + 1 / log2(3))),
        ("ndcg", (1 / log2(3) + 3 / log2(5)) / (3 + 1 / log2(3))),
        ("ndcg@1", 0.0),
        ("ndcg_exp", (1 / log2(3) + 7 / log2(5)) / (7 + 1 / log2(3))),
        ("first_hit_rank@1", None),
        ("first_hit_rank@3", 2),
        ("capped_recall@1", 0.0),
        ("capped_recall@2", 1 / 2),
        ("r_precision", 1 / 2),
        ("judged@1", 0.0),
        ("judged@3", 1 / 2),
        ("duplicate_rate@3", 1 / 3),
        ("duplicate_rate@2", 0.0),
    ],
)
def test_each_measure_on_a_ranking_with_a_repeat(measure, value):
    """`a` stands twice: it counts at rank 2, and the candidate at rank 3 keeps its rank and gains nothing."""
    assert score(["x", "a", "a", "b"], measure)[measure] == pytest.approx(value)


def test_an_empty_ranking_is_a_miss_and_no_ranking_is_nothing():
    scores = score_queries({"asked": JUDGED, "never": JUDGED}, {"asked": []}, ["recall@5", "ndcg@5", "judged@5"])
    assert scores == {
        "asked": {"recall@5": 0.0, "ndcg@5": 0.0, "judged@5": None},
        "never": {"recall@5": None, "ndcg@5": None, "judged@5": None},
    }


def test_a_query_without_relevant_keys_has_no_recall_but_its_candidates_are_counted():
    assert score(["a", "x"], "recall@2", "judged@2", judged={"a": 0}) == {"recall@2": None, "judged@2": 0.5}


@pytest.mark.parametrize("name", ["recal@5", "recall@0", "recall@-1", "recall@x", "recall@", "recall@٣", ""])
def test_an_unknown_measure_is_named(name):
    with pytest.raises(ValueError, match="is no measure; known are hit, recall, "):
        score([], name)


def test_r_precision_takes_no_cut_off():
    with pytest.raises(ValueError, match="r_precision takes no cut-off, it has its own"):
        score([], "r_precision@5")
