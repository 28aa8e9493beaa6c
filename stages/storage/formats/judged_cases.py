"""Judgments by document or chunk id, as TREC and BEIR have them, to cases and back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from stages.records.golden import Expectation, GoldenCase
from stages.records.imported import ImportedCase
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.golden_case import build_case
from stages.storage.formats.labels import CorpusLookup, evidence_for
from stages.storage.formats.rows import Row

Grain = Literal["document", "section", "chunk"]
HIGHEST = 3


def judged_case(row: Row, query: str, grades: Mapping[str, int], corpus: CorpusLookup, ids: CaseIds) -> GoldenCase:
    """One query's judgments as a case; what had to give is remarked in `ids.remarks`.

    An id which the corpus knows as a chunk is labelled by document and section as well. Grades below 0 become 0 and
    those above 3 become 3. Evidence comes from the corpus; without one, the ids of the relevant documents stand in.

    Raises:
        InputError: The row cannot be a case.
    """
    case_id = ids.claim(row.value, row)
    cut = {key: min(max(grade, 0), HIGHEST) for key, grade in grades.items()}
    changed = sorted(key for key, grade in grades.items() if cut[key] != grade)
    if changed:
        what = f"{len(changed)} grades outside 0..{HIGHEST} were cut, that of {changed[0]!r} the first"
        ids.remarks.append(row.problem(case_id, what, "Nothing need be done"))
    labels = [_label(key, grade, corpus) for key, grade in sorted(cut.items())]
    relevant = [label for label in labels if label["relevance"] > 0]
    evidence = evidence_for(relevant, corpus) or {"keywords": [label["doc_id"] for label in relevant]}
    expected = {"documents": labels, "evidence": evidence}
    return build_case(row, case_id, {"query": query, "expected": expected})


def _label(key: str, grade: int, corpus: CorpusLookup) -> dict[str, Any]:
    known = corpus.chunk(key)
    if known is None or known.doc_id == key:
        return {"doc_id": key, "relevance": grade}
    section = {"section": known.section} if known.section else {}
    return {"doc_id": known.doc_id, **section, "chunk_ids": [key], "relevance": grade}


def grades_of(case: GoldenCase, grain: Grain, lost: list[str]) -> dict[str, int]:
    """The grades of a case by key, the best of each key; an expectation without a key at the grain is `lost`."""
    grades: dict[str, int] = {}
    for expectation in () if isinstance(case.expected, str) else case.expected.documents:
        keys = _keys(expectation, grain)
        if not keys:
            lost.append(f"case {case.id}: an expectation has no {grain} id; it is left out")
        for key in keys:
            grades[key] = max(expectation.relevance, grades.get(key, 0))
    return grades


def _keys(expectation: Expectation, grain: Grain) -> Sequence[str]:
    if grain == "chunk":
        return expectation.chunk_ids
    if expectation.doc_id is None:
        return ()
    if grain == "section" and expectation.section:
        return (section_key(expectation.doc_id, expectation.section),)
    return (expectation.doc_id,)


def section_key(document: str, section: str | None) -> str:
    """A section as one id: `<doc_id>#<section>`, the document alone where there is no section."""
    return f"{document}#{section}" if section else document


def note_losses(cases: Iterable[ImportedCase], lost: list[str]) -> None:
    """Say what of each case has no form among judgments."""
    for item in cases:
        case = item.case
        fields = {"fault_type": case.fault_type, "lang": case.lang, "tags": case.tags, "notes": case.notes}
        names = [name for name, value in fields.items() if value]
        if not isinstance(case.expected, str):
            names += ["evidence"] + (["forbidden"] if case.expected.forbidden else [])
        if names:
            lost.append(f"case {case.id}: {', '.join(names)} {'has' if len(names) == 1 else 'have'} no form there")
