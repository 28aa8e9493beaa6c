"""Fusion by rank and by score: the published formulas, one order, and nothing lost."""

import importlib
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.fusion import fuse

BM25 = [("a", 9.0), ("b", 5.0), ("c", 1.0)]
DENSE = [("c", 0.9), ("d", 0.8), ("a", 0.5)]
EVEN = {"bm25": 1.0, "milvus": 1.0}


def test_reciprocal_ranks_add_up():
    assert fuse({"bm25": BM25, "milvus": DENSE}, EVEN, "rrf", 60) == [
        ("a", round(1 / 61 + 1 / 63, 6)),
        ("c", round(1 / 63 + 1 / 61, 6)),
        ("b", round(1 / 62, 6)),
        ("d", round(1 / 62, 6)),
    ]


def test_weights_shift_the_balance():
    fused = fuse({"bm25": BM25, "milvus": DENSE}, {"bm25": 1.0, "milvus": 3.0}, "rrf", 60)
    assert [key for key, _ in fused] == ["c", "a", "d", "b"]


def test_min_max_brings_both_arms_to_one_scale():
    assert fuse({"bm25": BM25, "milvus": DENSE}, {"bm25": 0.5, "milvus": 0.5}, "min_max", 60) == [
        ("a", 0.5),
        ("c", 0.5),
        ("d", 0.375),
        ("b", 0.25),
    ]


def test_z_scores_give_a_missing_key_the_lowest_value_of_the_arm():
    fused = dict(fuse({"bm25": BM25, "milvus": DENSE}, EVEN, "z_score", 60))
    deviation = (((0.9 - 2.2 / 3) ** 2 + (0.8 - 2.2 / 3) ** 2 + (0.5 - 2.2 / 3) ** 2) / 3) ** 0.5
    assert fused["b"] == pytest.approx(0 + (0.5 - 2.2 / 3) / deviation, abs=1e-6)
    assert fused["d"] == pytest.approx(-((3 / 2) ** 0.5) + (0.8 - 2.2 / 3) / deviation, abs=1e-6)


@pytest.mark.parametrize("method", ["min_max", "z_score"])
def test_equal_scores_count_as_found_or_not_found(method):
    fused = fuse({"bm25": [("a", 2.0), ("b", 2.0)], "milvus": [("c", 0.1)]}, EVEN, method, 60)
    assert fused == [("a", 1.0), ("b", 1.0), ("c", 1.0)]


def test_a_repeated_key_counts_at_its_best_rank():
    assert fuse({"bm25": [("a", 3.0), ("a", 2.0), ("b", 1.0)]}, EVEN, "rrf", 0) == [("a", 1.0), ("b", round(1 / 3, 6))]


@pytest.mark.parametrize("method", ["rrf", "min_max", "z_score"])
def test_no_candidates_fuse_to_none(method):
    assert fuse({}, EVEN, method, 60) == []
    assert fuse({"bm25": [], "milvus": []}, EVEN, method, 60) == []


rankings = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-1000, 1000), max_size=10).map(
    lambda found: sorted(((key, score / 8) for key, score in found.items()), key=lambda item: (-item[1], item[0]))
)
methods = st.sampled_from(["rrf", "min_max", "z_score"])


@given(rankings, rankings, methods)
def test_every_candidate_stays_and_the_order_is_by_score_then_key(left, right, method):
    fused = fuse({"bm25": left, "milvus": right}, {"bm25": 1.0, "milvus": 0.7}, method, 60)
    assert {key for key, _ in fused} == {key for key, _ in [*left, *right]}
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))


@given(rankings, rankings, methods)
def test_the_arms_can_stand_in_any_order(left, right, method):
    assert fuse({"x": left, "y": right}, {"x": 1.0, "y": 0.7}, method, 60) == fuse(
        {"y": right, "x": left}, {"y": 0.7, "x": 1.0}, method, 60
    )


@given(rankings, methods)
def test_one_arm_alone_keeps_its_order(ranking, method):
    distinct = [(key, float(-place)) for place, (key, _) in enumerate(ranking)]
    assert [key for key, _ in fuse({"x": distinct}, {"x": 2.0}, method, 1)] == [key for key, _ in distinct]


@given(rankings, rankings, st.integers(0, 1000))
def test_candidates_beyond_the_first_k_of_a_larger_k_only_level_the_ranks(left, right, k):
    """With a huge k only the number of arms that found a key matters."""
    fused = fuse({"x": left, "y": right}, {"x": 1.0, "y": 1.0}, "rrf", 10_000 + k)
    both = {key for key, _ in left} & {key for key, _ in right}
    assert {key for key, _ in fused[: len(both)]} == both


@pytest.mark.slow
def test_ranx_fuses_by_rank_to_the_same_values():
    """Its fusion by scores agrees too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranx = importlib.import_module("ranx")
        runs = [ranx.Run({"q": dict(BM25)}), ranx.Run({"q": dict(DENSE)})]
        other = ranx.fuse(runs, method="rrf", params={"k": 60}).to_dict()["q"]
    assert dict(fuse({"bm25": BM25, "milvus": DENSE}, EVEN, "rrf", 60)) == pytest.approx(other, abs=1e-6)
