"""What a measure would be if the candidates nobody judged were all wrong, or all right."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stages.core.scoring import score_queries


class UnjudgedBounds(NamedTuple):
    """One measure of one query under both readings of its unjudged candidates.

    Attributes:
        low: The value with every unjudged candidate taken as irrelevant: the measure as it is reported.
        high: The value with every unjudged candidate taken as relevant with grade 1, found and to be found alike. For
            hit, precision, recall and reciprocal rank it is the most that further judging could give; for
            average precision and nDCG a late candidate may lower it, since it adds to what was to be found.
    """

    low: float | None
    high: float | None


def unjudged_bounds(
    judged: Mapping[str, int], ranking: Sequence[str], measures: Sequence[str], depth: int | None = None
) -> dict[str, UnjudgedBounds]:
    """Both readings of `ranking`'s unjudged candidates down to `depth` (None: all of them), for every measure."""
    optimist = dict.fromkeys(ranking[:depth], 1) | dict(judged)
    scores = score_queries({"low": judged, "high": optimist}, {"low": ranking, "high": ranking}, measures)
    return {name: UnjudgedBounds(scores["low"][name], scores["high"][name]) for name in measures}
