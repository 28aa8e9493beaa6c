"""What a reader knows a section by: `mq-backlog#核心指标`."""

from collections.abc import Sequence

from stages.records.scored import MatchedExpectation, ScoredCase, TopCandidate


def section_label(document: str | None, section: str | None) -> str:
    """Return document and section in one word."""
    name = document or "(no id)"
    return f"{name}#{section}" if section else name


def shared_labels(labels: Sequence[str]) -> str:
    """Return labels as one text; a document is named once for those in a row: `mq#原因, #修复; db#指标`."""
    words: list[str] = []
    before = None
    for label in labels:
        document, hash_sign, section = label.partition("#")
        same = hash_sign and document == before
        words.append(f", #{section}" if same else f"; {label}" if words else label)
        before = document
    return "".join(words)


def candidate_section(candidate: TopCandidate) -> str:
    """Return the label of what was found."""
    return section_label(candidate.doc_id or candidate.title or candidate.chunk_id, candidate.section)


def relevant(case: ScoredCase) -> list[MatchedExpectation]:
    """Return the expectations that should be found, as they are written."""
    return [expectation for expectation in case.expectations if expectation.relevance > 0]


def expected_sections(case: ScoredCase) -> tuple[str, ...]:
    """Return the labels of what should be found."""
    return tuple(section_label(e.document, e.section) for e in relevant(case))


def missing_sections(case: ScoredCase) -> tuple[str, ...]:
    """Return the labels of what should be found and is not in the first topK."""
    return tuple(section_label(e.document, e.section) for e in relevant(case) if e.rank is None)
