"""What would recover a miss: the smallest topK at which the recorded ranking is none."""

from collections.abc import Sequence

from stages.core.hit_level import judge
from stages.core.matching import document_rule
from stages.records.case import Case
from stages.records.recording import Candidate
from stages.records.scored import Level


def smallest_top_k(case: Case, candidates: Sequence[Candidate], coverage: float) -> tuple[int, Level] | None:
    """Return the smallest topK at which the case is no miss, and its level there; None if nothing recorded helps.

    It is the rank of the first candidate of an expected document: a miss is that none is within topK.
    """
    relevant = [expectation for expectation in case.expectations if expectation.relevance > 0]
    rank = next((c.rank for c in candidates if any(document_rule(e, c) for e in relevant)), None)
    if rank is None:
        return None
    return rank, judge(case, [c for c in candidates if c.rank <= rank], coverage).level
