"""The exact sign test over paired cases."""

from math import comb
from typing import NamedTuple


class SignTest(NamedTuple):
    """Exact p-values of a split into wins and losses; ties are left out.

    Attributes:
        p_one_sided: Chance of at least this many losses if a loss were as likely as a win.
        p_two_sided: Chance of a split at least this uneven, in either direction.
    """

    p_one_sided: float
    p_two_sided: float


def sign_test(wins: int, losses: int) -> SignTest:
    """Test whether losses outnumber wins by more than chance.

    Exact binomial test with p = 1/2; on flips of a yes-or-no value it is McNemar's exact test. No flip at all gives 1.

    Raises:
        ValueError: A negative count.
    """
    if wins < 0 or losses < 0:
        raise ValueError(f"counts of wins and losses are never negative: {wins}, {losses}")
    one_sided = _upper_tail(wins + losses, losses)
    return SignTest(one_sided, min(1.0, 2 * _upper_tail(wins + losses, max(wins, losses))))


def _upper_tail(trials: int, at_least: int) -> float:
    # Exact integers, divided once: no rounding on the way, and no overflow for thousands of trials.
    ways = term = comb(trials, at_least)
    for count in range(at_least, trials):
        term = term * (trials - count) // (count + 1)
        ways += term
    return ways / (1 << trials)
