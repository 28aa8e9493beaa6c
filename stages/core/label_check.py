"""Findings about the labels of one case, with the edits that let them follow the corpus."""

from collections.abc import Iterator, Sequence
from typing import Any

from stages.core.corpus_view import CorpusView
from stages.core.label_places import LabelPlace, Place, document_is_there, is_there, place_labels
from stages.core.normalise import normalise
from stages.records.finding import Finding
from stages.records.golden import Expectation, Expected
from stages.records.golden_edit import GoldenEdit
from stages.records.located_case import LocatedCase, Location

DOCUMENTS: Location = ("expected", "documents")
LOST = "Label what answers the question now, or remove the label"
REWRITTEN = "Label what answers the question now; `retrieval-eval check --update-manifest` keeps what still does"


def label_findings(one: LocatedCase, expected: Expected, view: CorpusView) -> Iterator[Finding]:
    """Yield one finding for each label that is not where it says, and for each chunk or document that is gone."""
    placed = place_labels(expected.documents, expected.evidence, view)
    edits = _edits(one, placed, view)
    for index, place in enumerate(placed):
        if place.fate != "kept":
            yield _finding(one, index, place, tuple(edits[index]), view)
    known = {candidate.chunk_id for candidate in view.candidates}
    for index, place in enumerate(placed):
        if place.stays:
            yield from _chunk_findings(one, index, place.label, known)
    for index, doc_id in enumerate(expected.forbidden):
        if doc_id not in view.documents:
            what = f"the forbidden document {doc_id!r} is not in the corpus"
            problem = one.problem(("expected", "forbidden", index), what, "Correct the id, or remove it")
            yield Finding("forbidden_missing", problem)


def _finding(
    one: LocatedCase, index: int, place: LabelPlace, edits: tuple[GoldenEdit, ...], view: CorpusView
) -> Finding:
    label = place.label
    grain = "section" if document_is_there(label, view) else "document"
    what = _what(label, grain, view)
    if place.fate == "gone":
        what += ", and its text is gone"
    remedy = REWRITTEN if place.fate == "rewritten" else LOST
    if place.places:
        targets = " and ".join(_written(target) for target in place.places)
        verb = place.fate if place.told else "perhaps renamed"
        what += f": {verb}, now {targets}"
        remedy = f"Write {targets}, or run `retrieval-eval check --fix`"
    problem = one.problem((*DOCUMENTS, index), what, remedy)
    return Finding(f"{grain}_{place.fate or 'missing'}", problem, edits)


def _what(label: Expectation, grain: str, view: CorpusView) -> str:
    name = label.doc_id or label.label
    if grain == "document":
        return f"the document {name!r} is not in the corpus"
    if is_there(label, view):
        return f"the section {label.section!r} of {name!r} holds another text than before"
    return f"the document {name!r} has no section {label.section!r}"


def _written(place: Place) -> str:
    return place[0] if place[1] is None else f"{place[0]}#{place[1]}"


def _edits(one: LocatedCase, placed: Sequence[LabelPlace], view: CorpusView) -> list[list[GoldenEdit]]:
    """Return the edits of each label: it takes the first place that no other label has, and new labels the rest.

    A label whose every place is taken is removed; the label that has the place then takes the higher grade.
    """
    grades = _grades(placed)
    taken = {_key(item) for item in placed if item.stays}
    edits: list[list[GoldenEdit]] = []
    for index, item in enumerate(placed):
        free = [place for place in item.places if _place_key(place) not in taken] if not item.stays else []
        taken |= {_place_key(place) for place in free}
        where = (*DOCUMENTS, index)
        if free:
            first, *others = (
                _label(place, grades[_place_key(place)], _chunks(item.label, place, view)) for place in free
            )
            edits.append(_rewrite(one, where, item.label, first))
            edits[-1] += [GoldenEdit(one.file, one.case.id, where, "insert", other) for other in others]
        elif not item.stays and item.places:
            edits.append([GoldenEdit(one.file, one.case.id, where, "remove")])
        else:
            edits.append([])
    return _raise_kept(one, placed, edits, grades)


def _raise_kept(
    one: LocatedCase,
    placed: Sequence[LabelPlace],
    edits: list[list[GoldenEdit]],
    grades: dict[Place, int],
) -> list[list[GoldenEdit]]:
    """Let a label that stayed take the grade of a better one that was merged into it."""
    for index, item in enumerate(placed):
        grade = grades.get(_key(item), 0) if item.stays else 0
        if grade > item.label.relevance:
            source = next(
                i for i, other in enumerate(placed) if _key(item) in map(_place_key, other.places) and edits[i]
            )
            value = _label((item.label.doc_id or "", item.label.section), grade, item.label.chunk_ids)
            edits[source].append(GoldenEdit(one.file, one.case.id, (*DOCUMENTS, index), "replace", value))
    return edits


def _rewrite(one: LocatedCase, where: Location, label: Expectation, value: dict[str, Any]) -> list[GoldenEdit]:
    """Return edits of the fields that change, or of the whole label where it has other fields from now on."""
    old = _label((label.doc_id or "", label.section), label.relevance, label.chunk_ids)
    old_chunks, chunks = old.pop("chunk_ids", []), value.get("chunk_ids", [])
    fields = {key: new for key, new in value.items() if key != "chunk_ids"}
    same_grade = fields.get("relevance") == old.get("relevance")
    if not label.doc_id or not same_grade or fields.keys() != old.keys() or len(chunks) != len(old_chunks):
        return [GoldenEdit(one.file, one.case.id, where, "replace", value)]
    changed: list[tuple[Location, Any]] = [((key,), new) for key, new in fields.items() if new != old.get(key)]
    changed += [(("chunk_ids", i), new) for i, new in enumerate(chunks) if new != old_chunks[i]]
    return [GoldenEdit(one.file, one.case.id, (*where, *field), "replace", new) for field, new in changed]


def _label(place: Place, grade: int, chunk_ids: Sequence[str] = ()) -> dict[str, Any]:
    section = {} if place[1] is None else {"section": place[1]}
    relevance = {} if grade == 1 else {"relevance": grade}
    chunks = {"chunk_ids": list(chunk_ids)} if chunk_ids else {}
    return {"doc_id": place[0], **section, **relevance, **chunks}


def _chunks(label: Expectation, place: Place, view: CorpusView) -> tuple[str, ...]:
    """Return the chunk of a place for a label that named chunks; of several nothing tells which one is meant."""
    there = [entry.chunk_id for entry in view.entries if (entry.doc_id, entry.section) == place]
    return tuple(there) if label.chunk_ids and len(there) == 1 else ()


def _grades(placed: Sequence[LabelPlace]) -> dict[Place, int]:
    grades: dict[Place, int] = {}
    for item in placed:
        keys = [_key(item)] if item.stays else [_place_key(place) for place in item.places]
        for key in keys:
            grades[key] = max(item.label.relevance, grades.get(key, 0))
    return grades


def _key(item: LabelPlace) -> Place:
    return _place_key((item.label.doc_id or "", item.label.section))


def _place_key(place: Place) -> Place:
    return place[0], None if place[1] is None else normalise(place[1])


def _chunk_findings(one: LocatedCase, index: int, label: Expectation, known: set[str | None]) -> Iterator[Finding]:
    for number, chunk_id in enumerate(label.chunk_ids):
        if chunk_id not in known:
            where = (*DOCUMENTS, index, "chunk_ids", number)
            what = f"the chunk {chunk_id!r} is not in the corpus"
            yield Finding("chunk_missing", one.problem(where, what, "Name the chunk that holds the answer now"))
