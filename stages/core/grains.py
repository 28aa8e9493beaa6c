"""Judgments and rankings as keys: what is counted as one unit at the grains document, section and chunk."""

from collections.abc import Sequence
from typing import Literal

from stages.core.matching import document_rule, full_rule
from stages.core.normalise import normalise
from stages.records.golden import Expectation
from stages.records.recording import Candidate

Grain = Literal["document", "section", "chunk"]
GRAINS: tuple[Grain, ...] = ("document", "section", "chunk")


def judgments(expectations: Sequence[Expectation], grain: Grain) -> dict[str, int]:
    """Return key to grade at one grain; the highest grade counts where several expectations share a key."""
    grades: dict[str, int] = {}
    for expectation in expectations:
        for key in _expected_keys(expectation, grain):
            grades[key] = max(expectation.relevance, grades.get(key, 0))
    return grades


def ranking_keys(expectations: Sequence[Expectation], candidates: Sequence[Candidate], grain: Grain) -> list[str]:
    """Return one key a candidate, in rank order; a candidate which meets no expectation has a key of its own."""
    name = {"document": _document_key, "section": _section_key, "chunk": _chunk_key}[grain]
    return [name(expectations, candidate) for candidate in candidates]


def _expected_keys(expectation: Expectation, grain: Grain) -> tuple[str, ...]:
    if grain == "document":
        return (_document(expectation),)
    return (_section(expectation),) if grain == "section" else expectation.chunk_ids


def _document(expectation: Expectation) -> str:
    return (
        f"id:{expectation.doc_id}" if expectation.doc_id is not None else f"label:{normalise(expectation.label or '')}"
    )


def _section(expectation: Expectation) -> str:
    document = _document(expectation)
    return document if expectation.section is None else f"{document}#{normalise(expectation.section)}"


def _document_key(expectations: Sequence[Expectation], candidate: Candidate) -> str:
    for expectation in expectations:
        if document_rule(expectation, candidate):
            return _document(expectation)
    return _own_document(candidate)


def _section_key(expectations: Sequence[Expectation], candidate: Candidate) -> str:
    """Return the most specific expected key: a named section goes before "anywhere in the document"."""
    for expectation in sorted(expectations, key=_names_no_section):
        if full_rule(expectation, candidate):
            return _section(expectation)
    return f"{_document_key(expectations, candidate)}#{normalise(candidate.section or '')}"


def _chunk_key(expectations: Sequence[Expectation], candidate: Candidate) -> str:
    del expectations
    return candidate.chunk_id if candidate.chunk_id is not None else f"no chunk id: rank {candidate.rank}"


def _names_no_section(expectation: Expectation) -> bool:
    return expectation.section is None


def _own_document(candidate: Candidate) -> str:
    for prefix, value in (("id", candidate.doc_id), ("title", candidate.title), ("source", candidate.source)):
        if value is not None:
            return f"{prefix}:{value}"
    return f"no id: rank {candidate.rank}"
