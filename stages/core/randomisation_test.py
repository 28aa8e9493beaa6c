"""Fisher's randomisation test over paired differences: exact where that can be counted, else by seeded sampling."""

import random
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

# 2 ** 16 sign patterns take a few milliseconds.
EXACT_UP_TO = 16
ROUNDS = 10_000
ROUNDING = 1e-12


class RandomisationTest(NamedTuple):
    """A two-sided p-value for a mean difference of zero.

    Attributes:
        p: Share of the sign patterns whose mean is at least as far from 0 as the one observed; 1 for identical runs.
        method: `exact`, or `monte carlo, <rounds> rounds, seed <seed>`.
    """

    p: float
    method: str


def randomisation_test(differences: Sequence[float], seed: int = 0, rounds: int = ROUNDS) -> RandomisationTest:
    """Ask how often chance alone would give so large a mean, if each case's sign were a coin's.

    Cases without a difference carry no sign and are left out. Up to 16 others every pattern of signs is counted;
    beyond, `rounds` patterns are drawn, and the observed one is added to them, so that p is never 0.

    Source: Smucker, Allan, Carterette: A comparison of statistical significance tests for information retrieval
    evaluation, CIKM 2007.
    """
    moved = [abs(change) for change in differences if change]
    observed = abs(fsum(differences)) - ROUNDING
    if len(moved) <= EXACT_UP_TO:
        sums = [0.0]
        for change in moved:
            sums = [total + signed for total in sums for signed in (change, -change)]
        return RandomisationTest(sum(abs(total) >= observed for total in sums) / len(sums), "exact")
    generator = random.Random(seed)  # noqa: S311 - repeatable, not secret
    extreme = sum(abs(_signed_sum(moved, generator)) >= observed for _ in range(rounds))
    return RandomisationTest((extreme + 1) / (rounds + 1), f"monte carlo, {rounds} rounds, seed {seed}")


def _signed_sum(moved: Sequence[float], generator: random.Random) -> float:
    bits = generator.getrandbits(len(moved))
    return fsum(change if bits >> at & 1 else -change for at, change in enumerate(moved))
