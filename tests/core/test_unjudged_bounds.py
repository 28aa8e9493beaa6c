"""Unjudged candidates read both ways."""

from stages.core.unjudged_bounds import unjudged_bounds


def test_the_low_value_is_the_reported_one_and_the_high_one_counts_every_unjudged_candidate():
    bounds = unjudged_bounds({"a": 1, "n": 0}, ["x", "a", "n"], ["precision@3", "rr", "recall@3"])
    assert bounds == {"precision@3": (1 / 3, 2 / 3), "rr": (0.5, 1.0), "recall@3": (1.0, 1.0)}


def test_with_everything_judged_both_values_are_the_same():
    assert unjudged_bounds({"a": 1, "n": 0}, ["n", "a"], ["ap"]) == {"ap": (0.5, 0.5)}


def test_only_candidates_down_to_the_depth_are_read_both_ways():
    assert unjudged_bounds({"a": 1}, ["a", "x"], ["recall@1"], depth=1) == {"recall@1": (1.0, 1.0)}
