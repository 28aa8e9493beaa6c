"""What a candidate is called in a review, and where names stand in a ranking."""

from collections.abc import Sequence

from stages.records.golden import Expectation
from stages.records.recording import Candidate


def candidate_name(candidate: Candidate) -> str:
    """Return document and section, as in `mq-backlog#核心指标`; without either, what else there is."""
    name = candidate.doc_id or candidate.title or candidate.chunk_id or f"rank {candidate.rank}"
    return f"{name}#{candidate.section}" if candidate.section else name


def document_name(expectation: Expectation) -> str:
    """Return the document of an expectation, as candidates are called."""
    return expectation.doc_id or expectation.label or ""


def expectation_name(expectation: Expectation) -> str:
    """Return document and section of an expectation, as candidates are called."""
    name = document_name(expectation)
    return f"{name}#{expectation.section}" if expectation.section else name


def first_ranks(candidates: Sequence[Candidate]) -> dict[str, int]:
    """Return the best rank of each name."""
    ranks: dict[str, int] = {}
    for candidate in candidates:
        ranks.setdefault(candidate_name(candidate), candidate.rank)
    return ranks
