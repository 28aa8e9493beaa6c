"""Cases which no ranking of this corpus can win."""

from collections.abc import Sequence

from stages.core.chunk_candidate import chunk_candidate
from stages.core.evidence import find_evidence
from stages.core.matching import document_rule, full_rule
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.recording import Candidate


def mark_unwinnable(cases: Sequence[Case], chunks: Sequence[Chunk]) -> list[Case]:
    """Return the cases, those that cannot be won with the reason in `unwinnable`."""
    candidates = [chunk_candidate(chunk) for chunk in chunks]
    return [case.model_copy(update={"unwinnable": unwinnable_reason(case, candidates)}) for case in cases]


def unwinnable_reason(case: Case, corpus: Sequence[Candidate]) -> str | None:
    """Return why even a ranking of the whole corpus would not be a strong hit, or None.

    None of the expected documents, or of their expected sections, is there; or nothing of the evidence stands in
    the documents that are.
    """
    if not case.answerable:
        return None
    relevant = [label for label in case.expectations if label.relevance > 0]
    of_expected = [item for item in corpus if any(document_rule(label, item) for label in relevant)]
    if not of_expected:
        names = ", ".join(dict.fromkeys(label.doc_id or label.label or "" for label in relevant))
        return f"no expected document is in the corpus: {names}"
    if not any(full_rule(label, item) for label in relevant for item in of_expected):
        names = ", ".join(dict.fromkeys(f"{label.doc_id or label.label}#{label.section}" for label in relevant))
        return f"no expected section is in the corpus: {names}"
    found = find_evidence(case.evidence, relevant, of_expected)
    if not found.coverage and not found.breadcrumbs_covered:
        return "nothing of the evidence stands in the expected documents"
    return None
