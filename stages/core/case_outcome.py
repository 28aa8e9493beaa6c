"""One case on two sides: win, loss, draw, or regression."""

from collections.abc import Mapping
from typing import Literal

from stages.records.scored import ScoredCase

Outcome = Literal["win", "loss", "draw", "regression"]
LEVEL_ORDER: Mapping[str, int] = {"miss": 0, "medium": 1, "strong": 2}
RANK_METRIC = "average_first_hit_rank"
RECALL_METRIC = "recall_at_k"
WRITTEN_DIGITS = 6


def outcome(old: ScoredCase, new: ScoredCase) -> Outcome | None:
    """Return what became of a case, or None where one side was not scored.

    A regression is a hit (strong or medium) that became a miss. A win has a higher level, or the same level and an
    earlier first hit; a loss the reverse. A question without an answer loses by more false positives.
    """
    before, after = _worth(old), _worth(new)
    if before is None or after is None or old.answerable != new.answerable:
        return None
    if old.level not in {None, "miss"} and new.level == "miss":
        return "regression"
    if before == after:
        return "draw"
    return "win" if after > before else "loss"


def dropped(old: ScoredCase, new: ScoredCase) -> bool:
    """Whether both sides have a level and the new one is lower."""
    if old.level is None or new.level is None:
        return False
    return LEVEL_ORDER[new.level] < LEVEL_ORDER[old.level]


def first_hit_rank(case: ScoredCase) -> int | None:
    """Return the rank of the first hit within topK at the primary grain, or None."""
    rank = case.metrics.get(RANK_METRIC)
    return None if rank is None else int(rank)


def recall(case: ScoredCase) -> float | None:
    """Return the recall at topK at the primary grain as reports have it, or None."""
    found = case.metrics.get(RECALL_METRIC)
    return None if found is None else round(found, WRITTEN_DIGITS)


def label(case: ScoredCase) -> str:
    """Return the level, or what stands in its place: a state, or what happened to a question without an answer."""
    if case.level is not None:
        return case.level
    if case.false_positives is None:
        return case.state
    return "false_positive" if case.false_positives else "no_answer"


def _worth(case: ScoredCase) -> tuple[float, float] | None:
    if case.false_positives is not None:
        return (0.0, -float(case.false_positives))
    if case.level is None:
        return None
    rank = first_hit_rank(case)
    return (float(LEVEL_ORDER[case.level]), -float("inf") if rank is None else -float(rank))
