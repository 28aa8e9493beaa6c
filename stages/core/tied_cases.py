"""Golden cases whose level or metrics hang on the order of equal scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from stages.core.matching import document_rule, full_rule
from stages.core.path_scoring import score_path
from stages.core.tie_sensitivity import extreme_orders
from stages.records.case import Case
from stages.records.ranking import Ranking, RankingFile
from stages.records.recording import Candidate
from stages.records.scored import ScoredCase
from stages.records.yardstick import Yardstick

LEVELS = ("miss", "medium", "strong")
# A candidate that meets an expectation in full goes before any that meets the document only.
FULL = 10


@dataclass(frozen=True)
class TiedValue:
    """One value of one case; `least` and `most` are over the orders of equal scores that were tried."""

    case_id: str
    name: str
    recorded: float | str | None
    least: float | str | None
    most: float | str | None


def tied_values(cases: Sequence[Case], rankings: RankingFile, yardstick: Yardstick) -> list[TiedValue]:
    """Every level and metric which the order of equal scores changes, by case and name.

    Tried are the order as recorded and the two in which equal scores stand worst and best: by how far a candidate
    meets the expectations, and by its grade. For metrics at the primary grain these are the extremes.
    """
    by_id = {case.id: case for case in cases}
    sides = [
        score_path(cases, rankings.model_copy(update={"rankings": side}), yardstick).cases
        for side in (rankings.rankings, *_reordered(by_id, rankings.rankings))
    ]
    return [value for scored in zip(*sides, strict=True) for value in _values(scored)]


def _reordered(cases: dict[str, Case], rankings: Sequence[Ranking]) -> tuple[tuple[Ranking, ...], ...]:
    pairs = [_extremes(cases[ranking.case_id], ranking) for ranking in rankings]
    return tuple(worst for worst, _ in pairs), tuple(best for _, best in pairs)


def _extremes(case: Case, ranking: Ranking) -> tuple[Ranking, Ranking]:
    candidates = ranking.candidates
    # Candidates without a score are told apart, so that they keep their places.
    scores = [float(-at) if one.score is None else one.score for at, one in enumerate(candidates)]
    names = [str(at) for at in range(len(candidates))]
    orders = extreme_orders(names, scores, {name: _worth(case, candidates[int(name)]) for name in names})
    if orders is None:
        return ranking, ranking
    return _ordered(ranking, orders[0]), _ordered(ranking, orders[1])


def _worth(case: Case, candidate: Candidate) -> int:
    relevant = [expectation for expectation in case.expectations if expectation.relevance > 0]
    full = [FULL * one.relevance for one in relevant if full_rule(one, candidate)]
    return max([*full, *(one.relevance for one in relevant if document_rule(one, candidate))], default=0)


def _ordered(ranking: Ranking, order: Sequence[int]) -> Ranking:
    moved = (ranking.candidates[at].model_copy(update={"rank": rank}) for rank, at in enumerate(order, 1))
    return ranking.model_copy(update={"candidates": tuple(moved)})


def _values(scored: Sequence[ScoredCase]) -> list[TiedValue]:
    recorded = scored[0]
    found = []
    levels = [side.level for side in scored if side.level is not None]
    if len(set(levels)) > 1:
        ordered = sorted(levels, key=LEVELS.index)
        found.append(TiedValue(recorded.case_id, "level", recorded.level, ordered[0], ordered[-1]))
    for name, value in recorded.metrics.items():
        values = [side.metrics[name] for side in scored]
        if len(set(values)) > 1:
            ordered_values = sorted(values, key=lambda number: (number is None, number))
            found.append(TiedValue(recorded.case_id, name, value, ordered_values[0], ordered_values[-1]))
    return found
