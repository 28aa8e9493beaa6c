"""The knowledge base's `golden_queries.yaml`, in and out."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from stages.records.golden import GoldenCase
from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError, Problem
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.collect import collect_cases
from stages.storage.formats.golden_case import build_case, or_stand_in, texts_of
from stages.storage.formats.labels import CorpusLookup, chunk_labels, evidence_for
from stages.storage.formats.rows import Row, as_object
from stages.storage.text_file import write_text
from stages.storage.yaml_file import Location, YamlDocument, read_yaml

LISTS = ("expected_doc_ids", "expected_chunk_ids", "must_contain", "forbidden")
KNOWN = {"id", "query", "lang", "difficulty", "group", *LISTS}
TAGS = ("difficulty", "group")


def read_knowledge_base(path: Path, corpus: CorpusLookup, scenario: str = "chat_lookup") -> Imported:
    """Read cases; an entry that expects nothing is `expected: none` (the service should decline).

    Raises:
        InputError: no YAML, or no list of entries.
    """
    ids = CaseIds()

    def convert(row: Row) -> ImportedCase:
        return ImportedCase(scenario, _convert(row, ids, corpus))

    return collect_cases(_rows(path), convert, ids.remarks)


def write_knowledge_base(path: Path, cases: Iterable[ImportedCase]) -> list[str]:
    """Write cases; return what was lost, one sentence each."""
    lost: list[str] = []
    entries = [entry for item in cases if (entry := _entry(item.case, lost))]
    write_text(path, yaml.safe_dump(entries, allow_unicode=True, sort_keys=False, width=120))
    return lost


def _rows(path: Path) -> list[Row]:
    document = read_yaml(path)
    data = document.data
    inside: Location = ()
    if isinstance(data, dict) and isinstance(data.get("queries"), list):
        data, inside = data["queries"], ("queries",)
    if not isinstance(data, list):
        what = "the file holds no list of queries"
        raise InputError([Problem(str(path), 1, 1, "", what, "Check that the format is the right one")])
    return [_row(document, (*inside, index), value) for index, value in enumerate(data)]


def _row(document: YamlDocument, place: Location, value: Any) -> Row:
    if isinstance(value, dict):
        value = {name: _as_written(document, (*place, name), field) for name, field in value.items()}
    return Row(document.file, int(place[-1]) + 1, document.place(place)[0], value)


def _as_written(document: YamlDocument, place: Location, value: Any) -> Any:
    """Return a field with its numbers as the texts that are written: an id of `0012` is not one of `12`."""
    if isinstance(value, list):
        return [_as_written(document, (*place, index), item) for index, item in enumerate(value)]
    return document.written[place] if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _convert(row: Row, ids: CaseIds, corpus: CorpusLookup) -> GoldenCase:
    value = as_object(row)
    case_id = ids.claim(value.get("id"), row)
    lists = {name: texts_of(row, case_id, value.get(name), name) for name in LISTS}
    fields = {
        "query": value.get("query"),
        "lang": value.get("lang"),
        "expected": _expected(row, case_id, lists, corpus, ids),
        "tags": [f"{name}:{value[name]}" for name in TAGS if value.get(name)],
    }
    for name in sorted(set(value) - KNOWN):
        ids.remarks.append(row.problem(case_id, f"the field {name!r} has no place in a case", "It is left out"))
    return build_case(row, case_id, fields)


def _expected(row: Row, case_id: str, lists: dict[str, list[str]], corpus: CorpusLookup, ids: CaseIds) -> Any:
    documents, chunks, words, forbidden = (lists[name] for name in LISTS)
    if not documents and not chunks:
        if words:
            what = "the entry says what must be contained, but neither document nor chunk"
            raise row.fail(case_id, what, "Add expected_doc_ids")
        if forbidden:
            what = "forbidden stands beside no expectation; whatever is returned counts against the case anyway"
            ids.remarks.append(row.problem(case_id, what, "It is left out"))
        if meant := sorted(name for name in set(row.value) - KNOWN if str(name).startswith(("expected", "must"))):
            what = f"the field {meant[0]!r} is unknown, and no other says what is expected"
            raise row.fail(case_id, what, "Correct its name, or remove it if the service should decline")
        return "none"
    try:
        labels = chunk_labels(chunks, documents, corpus)
    except ValueError as error:
        what = f"the document of the chunk {str(error)!r} cannot be told"
        raise row.fail(case_id, what, "Give --corpus, or one expected_doc_ids entry") from None
    evidence = or_stand_in(row, case_id, evidence_for(labels, corpus, words), labels, ids.remarks)
    return {"documents": labels, "evidence": evidence, "forbidden": forbidden}


def _entry(case: GoldenCase, lost: list[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": case.id, "query": case.query, "lang": case.lang}
    if not isinstance(case.query, str):
        lost.append(f"case {case.id}: a structured query has no form there; the case is left out")
        return {}
    if not isinstance(case.expected, str):
        labels = [label for label in case.expected.documents if label.relevance > 0]
        entry["expected_doc_ids"] = list(dict.fromkeys(label.doc_id for label in labels if label.doc_id))
        entry["expected_chunk_ids"] = list(dict.fromkeys(chunk for label in labels for chunk in label.chunk_ids))
        entry["must_contain"] = list(case.expected.evidence.keywords)
        entry["forbidden"] = list(case.expected.forbidden)
    entry |= {name: tag.partition(":")[2] for name in TAGS for tag in case.tags if tag.startswith(f"{name}:")}
    lost.extend(f"case {case.id}: {name} has no form there" for name in _homeless(case))
    return {key: value for key, value in entry.items() if value}


def _homeless(case: GoldenCase) -> list[str]:
    found: list[tuple[str, Any]] = [("fault_type", case.fault_type), ("notes", case.notes)]
    found.append(("tags", [tag for tag in case.tags if not tag.startswith(tuple(f"{name}:" for name in TAGS))]))
    if not isinstance(case.expected, str):
        labels = case.expected.documents
        found.append(("section", [label for label in labels if label.section]))
        found.append(("relevance", [label for label in labels if label.relevance != 1]))
        found.append(("label", [label for label in labels if label.label]))
        found.append(("breadcrumbs", case.expected.evidence.breadcrumbs))
    return [name for name, value in found if value]
