"""The measures of a scored case by document and section, whatever grain the headline counts at."""

from stages.records.scored import ScoredCase
from stages.records.yardstick import Yardstick


def section_value(case: ScoredCase, yardstick: Yardstick, measure: str) -> float | None:
    """Return a measure such as `recall_at_k` or `recall@10` at the grain section; None for a case not scored."""
    name = measure if yardstick.primary_grain == "section" else f"{measure}_section"
    return case.metrics.get(name)


def is_hit(case: ScoredCase, yardstick: Yardstick) -> bool:
    """Whether an expected section stands in the first topK."""
    return bool(section_value(case, yardstick, "hit_at_k"))


def recall(case: ScoredCase, yardstick: Yardstick) -> float:
    """Which share of the expected sections stands in the first topK."""
    return section_value(case, yardstick, "recall_at_k") or 0.0


def reciprocal_rank(case: ScoredCase, yardstick: Yardstick) -> float:
    """1 / the rank of the first expected section, 0 where none is in the first topK."""
    return section_value(case, yardstick, "mrr") or 0.0


def scored_cases(cases: tuple[ScoredCase, ...]) -> list[ScoredCase]:
    """Return the cases that have a level, which are those in the means."""
    return [case for case in cases if case.level is not None]
