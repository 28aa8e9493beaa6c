"""Statistics for small sets: exact where they can be, seeded where not, and never louder than the cases allow."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.bootstrap import bootstrap_interval
from stages.core.holm import holm
from stages.core.paired_differences import pair
from stages.core.paired_tests import sign_test
from stages.core.randomisation_test import randomisation_test


def test_pairs_are_counted_by_case_and_rounding_is_no_difference():
    """4.2 - 0.1 and 4.1 are the same value; a case without a value on one side is in no count."""
    pairs = pair({"a": 4.1, "b": 0.5, "c": 1.0, "d": None}, {"a": 4.2 - 0.1, "b": 1.0, "c": 0.0, "e": 1.0})
    assert (pairs.wins, pairs.losses, pairs.ties, pairs.left_out) == (("b",), ("c",), ("a",), ("d", "e"))
    assert pairs.differences == (0.0, 0.5, -1.0)
    assert pairs.mean == pytest.approx(-0.5 / 3)


def test_nothing_to_pair_has_no_mean():
    assert pair({}, {}).mean is None


def test_identical_runs_give_p_1():
    assert randomisation_test([0.0, 0.0, 0.0]) == (1.0, "exact")
    assert randomisation_test([]) == (1.0, "exact")
    assert sign_test(0, 0) == (1.0, 1.0)


@given(st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.1, 0.5, 1.0]), max_size=8))
def test_the_exact_test_counts_every_pattern_of_signs(differences):
    patterns = [
        abs(sum(sign * change for sign, change in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    extreme = sum(total >= abs(sum(differences)) - 1e-9 for total in patterns)
    assert randomisation_test(differences).p == pytest.approx(extreme / len(patterns))


def test_on_equal_steps_the_randomisation_test_is_the_sign_test():
    for wins, losses in ((0, 3), (5, 0), (2, 9), (8, 8)):
        p = randomisation_test([1.0] * wins + [-1.0] * losses).p
        assert p == pytest.approx(sign_test(wins, losses).p_two_sided)


def test_beyond_16_differences_patterns_are_drawn_with_a_seed_and_p_is_never_0():
    """20 pure losses: the exact value is 2 / 2**20."""
    test = randomisation_test([-1.0] * 20, seed=7)
    assert test == (pytest.approx(1 / 10_001, rel=1), "monte carlo, 10000 rounds, seed 7")
    assert test == randomisation_test([-1.0] * 20, seed=7)
    mixed = [1.0] * 12 + [-1.0] * 8
    assert randomisation_test(mixed).p == pytest.approx(sign_test(12, 8).p_two_sided, abs=0.02)


def test_the_bootstrap_says_what_it_is_and_is_repeatable():
    interval = bootstrap_interval([0.0] * 6 + [-1.0] * 3)
    assert interval.label == "percentile bootstrap over 9 cases, 95%, 10000 resamples, seed 0"
    assert (interval.low, interval.high) == (pytest.approx(-6 / 9), pytest.approx(-1 / 9))
    assert interval == bootstrap_interval([0.0] * 6 + [-1.0] * 3)
    assert bootstrap_interval([0.5] * 5)[:2] == (0.5, 0.5)
    assert bootstrap_interval([1.0]) is None


def test_three_pure_losses_of_nine_are_not_told_from_chance():
    """The exact one-sided value is .125, whatever a bootstrap claims: its interval leaves out 0."""
    assert sign_test(0, 3).p_one_sided == 0.125
    assert bootstrap_interval([0.0] * 6 + [-1.0] * 3).high < 0


def test_holm_adjusts_stepwise_and_keeps_the_order():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.9}) == pytest.approx(
        {"a": 0.04, "b": 0.09, "c": 0.09, "d": 0.9}
    )
    assert holm({}) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_value_nor_passes_1(p_values):
    adjusted = holm(p_values)
    assert all(p_values[name] <= adjusted[name] <= 1 for name in p_values)
