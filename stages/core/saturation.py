"""Cases with nothing left to gain: a set of them shows no improvement."""

from collections.abc import Sequence

from stages.core.mutants import NO_FAULT_TYPE
from stages.records.audit import Saturation
from stages.records.scored import ScoredCase


def saturation(cases: Sequence[ScoredCase]) -> Saturation:
    """Return how many of the cases with a level are strong, first at rank 1, and complete."""
    scored = [case for case in cases if case.level is not None]
    full = sum(_is_saturated(case) for case in scored)
    return Saturation(cases=len(scored), saturated=full, saturated_share=full / len(scored) if scored else None)


def saturation_by_fault_type(cases: Sequence[ScoredCase]) -> dict[str, Saturation]:
    """Return the saturation of each fault type that has a case with a level."""
    names = sorted({case.fault_type or NO_FAULT_TYPE for case in cases if case.level is not None})
    return {name: saturation([case for case in cases if (case.fault_type or NO_FAULT_TYPE) == name]) for name in names}


def _is_saturated(case: ScoredCase) -> bool:
    complete = all(label.rank is not None for label in case.expectations if label.relevance > 0)
    return case.level == "strong" and case.first_expected_rank == 1 and complete
