"""What the golden set asks about, and what nobody asks for."""

from collections import Counter
from collections.abc import Iterable, Sequence

from stages.core.mutants import NO_FAULT_TYPE
from stages.records.audit import Coverage
from stages.records.case import Case
from stages.records.chunk import Chunk

UNKNOWN = "(not given)"


def golden_coverage(cases: Sequence[Case], chunks: Sequence[Chunk]) -> Coverage:
    """Return the counts of cases by property, and the documents and sections of the corpus that no case expects."""
    labels = [(case, label) for case in cases for label in case.expectations if label.relevance > 0]
    documents = {chunk.doc_id for chunk in chunks}
    titles = {chunk.title: chunk.doc_id for chunk in chunks}
    expected = {label.doc_id or titles.get(label.label or "") for _, label in labels} & documents
    sections = {(chunk.doc_id, chunk.section) for chunk in chunks}
    asked = {(case.id, label.section) for case, label in labels if label.section}
    return Coverage(
        by_scenario=_counts(case.scenario for case in cases),
        by_fault_type=_counts(case.fault_type or NO_FAULT_TYPE for case in cases),
        by_lang=_counts(case.lang or UNKNOWN for case in cases),
        by_section=_counts(section or "" for _, section in asked),
        documents=len(documents),
        documents_expected=len(expected),
        documents_never_expected=tuple(sorted(documents - expected)),
        sections=len(sections),
        sections_expected=len({(label.doc_id, label.section) for _, label in labels} & sections),
    )


def _counts(values: Iterable[str]) -> dict[str, int]:
    counter = Counter(values)
    return {name: counter[name] for name in sorted(counter, key=lambda name: (-counter[name], name))}
