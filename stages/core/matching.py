"""Which candidate meets which expectation, and by which rule; and what is one unit at each grain."""

from collections.abc import Sequence
from dataclasses import dataclass

from stages.core.normalise import normalise
from stages.records.golden import Expectation
from stages.records.recording import Candidate


@dataclass(frozen=True)
class Match:
    """A candidate which meets an expectation: where, and the rules that matched document and section."""

    expectation: int
    rank: int
    rule: str


def document_rule(expectation: Expectation, candidate: Candidate) -> str | None:
    """Return the rule by which the candidate is of the expected document, or None.

    `doc_id`: the ids are equal, to the letter. `label`: the titles are equal after normalisation.
    """
    if expectation.doc_id is not None:
        return "doc_id" if candidate.doc_id == expectation.doc_id else None
    same = candidate.title is not None and normalise(candidate.title) == normalise(expectation.label or "")
    return "label" if same else None


def section_rule(expectation: Expectation, candidate: Candidate) -> str | None:
    """Return the rule by which the candidate is in the expected section, or None.

    `section`: the names are equal after normalisation. `breadcrumb`: the expected section is one of the
    candidate's ancestors, as when a service returns subsections. Without a named section every one will do.
    """
    if expectation.section is None:
        return "any_section"
    wanted = normalise(expectation.section)
    if candidate.section is not None and normalise(candidate.section) == wanted:
        return "section"
    return "breadcrumb" if wanted in map(normalise, candidate.breadcrumb) else None


def full_rule(expectation: Expectation, candidate: Candidate) -> str | None:
    """Return both rules as `document+section`, or None unless both match."""
    document = document_rule(expectation, candidate)
    section = section_rule(expectation, candidate) if document else None
    return f"{document}+{section}" if section else None


def first_matches(expectations: Sequence[Expectation], candidates: Sequence[Candidate]) -> list[Match]:
    """Return for each expectation its first full match, in the order of the expectations."""
    found = []
    for index, expectation in enumerate(expectations):
        for candidate in candidates:
            rule = full_rule(expectation, candidate)
            if rule:
                found.append(Match(index, candidate.rank, rule))
                break
    return found
