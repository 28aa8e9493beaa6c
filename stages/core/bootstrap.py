"""A bootstrap interval of a mean, labelled as what it is."""

import random
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

RESAMPLES = 10_000
CONFIDENCE = 0.95
FEWEST = 2


class BootstrapInterval(NamedTuple):
    """Where the mean falls when cases are drawn again with replacement.

    Attributes:
        low: Lower end.
        high: Upper end.
        label: What kind of interval it is. It speaks of other cases like these; the rankings themselves do not vary.
            On few cases it is too narrow: it may exclude 0 where the exact sign test does not reach .05.
    """

    low: float
    high: float
    label: str


def bootstrap_interval(
    values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> BootstrapInterval | None:
    """The percentile bootstrap interval of the mean; None of fewer than two values.

    Source: Efron, Tibshirani: An introduction to the bootstrap, 1993, chapter 13.
    """
    size = len(values)
    if size < FEWEST:
        return None
    generator = random.Random(seed)  # noqa: S311 - repeatable, not secret
    means = sorted(fsum(generator.choices(values, k=size)) / size for _ in range(resamples))
    tail = (1 - confidence) / 2
    label = f"percentile bootstrap over {size} cases, {confidence:.0%}, {resamples} resamples, seed {seed}"
    return BootstrapInterval(means[int(tail * resamples)], means[int((1 - tail) * resamples) - 1], label)
