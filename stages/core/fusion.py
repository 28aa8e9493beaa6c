"""Several rankings into one: by rank, or by scores brought to one scale."""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from stages.records.params.hybrid import FusionMethod

SCORE_DIGITS: Final = 6
Scored = tuple[str, float]


def fuse(
    arms: Mapping[str, Sequence[Scored]], weights: Mapping[str, float], method: FusionMethod, rrf_k: float
) -> list[Scored]:
    """Every key of any arm with its fused score: by score (rounded to 6 digits) descending, then by key.

    Each arm is (key, score) in rank order; a key that an arm repeats counts at its best rank. The fused score is
    the sum of weight times value over the arms:

    * `rrf`: 1 / (k + rank), 0 where the arm does not have the key (Cormack, Clarke, Büttcher: Reciprocal rank
      fusion outperforms Condorcet, SIGIR 2009). It looks at ranks only.
    * `min_max`: (score - lowest) / (highest - lowest) within the arm, 0 where the arm does not have the key.
    * `z_score`: (score - mean) / standard deviation within the arm; the arm's lowest value where it does not
      have the key.

    Where all scores of an arm are equal no scale can be found: a key counts 1 if the arm has it, else 0.
    """
    totals: dict[str, float] = {}
    valued = [(weights[name], *_values(ranking, method, rrf_k)) for name, ranking in sorted(arms.items()) if ranking]
    for key in sorted({key for _, values, _ in valued for key in values}):
        # fsum: the order of the arms must not show in the last digit.
        totals[key] = math.fsum(weight * values.get(key, absent) for weight, values, absent in valued)
    rounded = ((key, round(total, SCORE_DIGITS) + 0.0) for key, total in totals.items())
    return sorted(rounded, key=lambda item: (-item[1], item[0]))


def _values(ranking: Sequence[Scored], method: FusionMethod, rrf_k: float) -> tuple[dict[str, float], float]:
    """The value of each key of one arm, and the value of the keys it does not have."""
    first: dict[str, tuple[int, float]] = {}
    for rank, (key, score) in enumerate(ranking, 1):
        first.setdefault(key, (rank, score))
    if method == "rrf":
        return {key: 1 / (rrf_k + rank) for key, (rank, _) in first.items()}, 0.0
    scores = {key: score for key, (_, score) in first.items()}
    if min(scores.values()) == max(scores.values()):
        return dict.fromkeys(scores, 1.0), 0.0
    return _min_max(scores) if method == "min_max" else _z_score(scores)


def _min_max(scores: dict[str, float]) -> tuple[dict[str, float], float]:
    low, high = min(scores.values()), max(scores.values())
    return {key: (score - low) / (high - low) for key, score in scores.items()}, 0.0


def _z_score(scores: dict[str, float]) -> tuple[dict[str, float], float]:
    mean, deviation = statistics.fmean(scores.values()), statistics.pstdev(scores.values())
    values = {key: (score - mean) / deviation for key, score in scores.items()}
    return values, min(values.values())
