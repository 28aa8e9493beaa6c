"""Overlap of two rankings."""

import pytest

from stages.core.rank_overlap import jaccard, overlap, rank_biased_overlap


def truncated_definition(one, other, persistence, depth=3000):
    """The infinite sum that rank-biased overlap is, cut where the weights vanish."""
    total = 0.0
    for d in range(1, depth + 1):
        total += persistence ** (d - 1) * len(set(one[:d]) & set(other[:d])) / d
    return (1 - persistence) * total


def test_identical_rankings_overlap_wholly_at_every_depth():
    assert [overlap(["a", "b"], ["a", "b"], k) for k in (1, 2, 10)] == [1.0, 1.0, 1.0]
    assert rank_biased_overlap(["a", "b"], ["a", "b"]) == pytest.approx(1.0)


def test_disjoint_and_empty_rankings():
    assert rank_biased_overlap(["a"], ["b"]) == 0.0
    assert rank_biased_overlap(["a"], []) == 0.0
    assert rank_biased_overlap([], []) is None
    assert overlap([], [], 5) is None
    assert jaccard([], [], 5) is None


def test_overlap_and_jaccard_differ_in_what_they_divide_by():
    assert overlap(["a", "b", "c"], ["b", "d", "e"], 3) == pytest.approx(1 / 3)
    assert jaccard(["a", "b", "c"], ["b", "d", "e"], 3) == pytest.approx(1 / 5)


def test_long_rankings_agree_with_the_definition():
    """Where the rankings go on until the weights vanish, nothing is extrapolated."""
    one = [f"k{number}" for number in range(400)]
    other = [f"k{number ^ 1}" for number in range(0, 800, 2)]
    for persistence in (0.5, 0.9):
        expected = truncated_definition(one, other, persistence, depth=400)
        assert rank_biased_overlap(one, other, persistence) == pytest.approx(expected, abs=1e-9)


def test_a_short_ranking_is_extrapolated_with_the_agreement_seen_last():
    """Agreement at depth 1 is 1, at depth 2 it is 1/2 and stays there."""
    assert rank_biased_overlap(["a", "b"], ["a", "c"], 0.5) == pytest.approx(0.5 * 1 + 0.5 * 0.5)


def test_rankings_of_unequal_length():
    """The short one is assumed to go on agreeing: a prefix of the other is as good as the other."""
    assert rank_biased_overlap(["a", "b"], ["a", "b", "c", "d"], 0.8) == pytest.approx(1.0)


def test_order_of_the_arguments_does_not_matter():
    assert rank_biased_overlap(["a", "b", "c"], ["c", "a"]) == rank_biased_overlap(["c", "a"], ["a", "b", "c"])


@pytest.mark.parametrize("persistence", [0, 1, -0.1, 1.5])
def test_a_persistence_outside_its_range_is_refused(persistence):
    with pytest.raises(ValueError, match="lies between 0 and 1"):
        rank_biased_overlap(["a"], ["a"], persistence)
