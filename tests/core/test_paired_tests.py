"""The exact sign test."""

import pytest

from stages.core.paired_tests import sign_test
from stages.core.resolution import resolution_sentence


@pytest.mark.parametrize(
    ("wins", "losses", "one_sided", "two_sided"),
    [(0, 0, 1.0, 1.0), (0, 3, 0.125, 0.25), (3, 0, 1.0, 0.25), (0, 5, 1 / 32, 1 / 16), (1, 8, 10 / 512, 20 / 512)],
)
def test_exact_values(wins, losses, one_sided, two_sided):
    assert sign_test(wins, losses) == (one_sided, two_sided)


def test_thousands_of_cases_neither_overflow_nor_vanish():
    assert 0 < sign_test(900, 1100).p_one_sided < 1e-5


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match="never negative: -1, 2"):
        sign_test(-1, 2)


def test_resolution_in_words():
    assert resolution_sentence(24) == "24 cases: a pure loss of fewer than 5 cases cannot be told from chance"
    assert resolution_sentence(1) == (
        "1 case: no loss, however complete, can be told from chance; that takes at least 5 cases"
    )
