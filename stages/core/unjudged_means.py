"""The means of a path with its unjudged candidates taken as irrelevant, as they are reported, and as relevant."""

from collections.abc import Sequence
from dataclasses import dataclass

from stages.core.aggregating import mean
from stages.core.case_scoring import counts
from stages.core.grains import judgments, ranking_keys
from stages.core.measure_plan import AT_TOP_K
from stages.core.unjudged_bounds import UnjudgedBounds, unjudged_bounds
from stages.records.case import Case
from stages.records.ranking import Ranking, RankingFile
from stages.records.yardstick import Yardstick

# What no judgment could change.
UNCHANGED = frozenset(("judged_at_k", "duplicate_rate"))


@dataclass(frozen=True)
class UnjudgedMean:
    """One mean under both readings, over `n` cases."""

    name: str
    irrelevant: float | None
    relevant: float | None
    n: int


def unjudged_means(cases: Sequence[Case], rankings: RankingFile, yardstick: Yardstick) -> list[UnjudgedMean]:
    """Every mean at topK and the primary grain, over the cases that count."""
    by_id = {ranking.case_id: ranking for ranking in rankings.rankings}
    measures = {name: f"{base}@{yardstick.top_k}" for name, base in AT_TOP_K.items() if name not in UNCHANGED}
    counted = [case for case in cases if counts(case, by_id[case.id])]
    bounds = [_bounds(case, by_id[case.id], yardstick, list(measures.values())) for case in counted]
    means = []
    for name, measure in measures.items():
        low, high = (mean(one[measure][side] for one in bounds) for side in (0, 1))
        means.append(UnjudgedMean(name, low.value, high.value, low.n))
    return means


def _bounds(case: Case, ranking: Ranking, yardstick: Yardstick, measures: list[str]) -> dict[str, UnjudgedBounds]:
    judged = judgments(case.expectations, yardstick.primary_grain)
    keys = ranking_keys(case.expectations, ranking.candidates, yardstick.primary_grain)
    return unjudged_bounds(judged, keys, measures, yardstick.top_k)
