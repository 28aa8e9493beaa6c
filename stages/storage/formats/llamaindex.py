"""LlamaIndex's evaluation JSON (`queries`, `corpus`, `relevant_docs`), in and out."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stages.records.chunk import Chunk
from stages.records.golden import GoldenCase
from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError, Problem
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.collect import collect_cases
from stages.storage.formats.golden_case import build_case, or_stand_in, texts_of
from stages.storage.formats.labels import CorpusLookup, chunk_labels, evidence_for
from stages.storage.formats.rows import Row, telling_lines
from stages.storage.json_file import parse_json, write_json
from stages.storage.json_place import child_lines
from stages.storage.text_file import read_text

PARTS = ("queries", "corpus", "relevant_docs")


def read_llamaindex(path: Path, corpus: CorpusLookup, scenario: str = "chat_lookup") -> Imported:
    """Read cases and the corpus; the unit of `rows_in` is a query.

    A relevant node which the given corpus knows as a chunk is labelled by its document and section; any other
    node is a document of its own. Evidence is the opening of the nodes' texts.

    Raises:
        InputError: no JSON, or none of that shape.
    """
    text = read_text(path)
    data = _parts(path, text)
    lines = {name: telling_lines(child_lines(text, name)) for name in ("queries", "relevant_docs")}
    ids = CaseIds()
    queries = data["queries"]
    rows = [
        Row(str(path), number, lines["queries"].get(item[0], 0), item) for number, item in enumerate(queries.items(), 1)
    ]
    remarks = [
        _without_query(path, lines["relevant_docs"].get(name, 0), name)
        for name in sorted(set(data["relevant_docs"]) - set(queries))
    ]

    def convert(row: Row) -> ImportedCase:
        return ImportedCase(scenario, _convert(row, data, ids, corpus))

    found = collect_cases(rows, convert, ids.remarks)
    chunks = tuple(Chunk(chunk_id=name, doc_id=name, content=text) for name, text in sorted(data["corpus"].items()))
    return Imported(
        found.rows_in,
        found.rows_used,
        found.cases,
        chunks=chunks,
        refused=found.refused,
        remarks=(*ids.remarks, *remarks),
    )


def write_llamaindex(path: Path, cases: Iterable[ImportedCase], chunks: Sequence[Chunk]) -> list[str]:
    """Write cases with the corpus; return what was lost, one sentence each."""
    lost: list[str] = []
    lookup = CorpusLookup(chunks)
    queries: dict[str, str] = {}
    relevant: dict[str, list[str]] = {}
    for item in cases:
        nodes = _nodes(item.case, lookup, lost)
        if nodes and isinstance(item.case.query, str):
            queries[item.case.id], relevant[item.case.id] = item.case.query, nodes
        else:
            lost.append(f"case {item.case.id}: no plain query with a known chunk; the case is left out")
    texts = {chunk.chunk_id: chunk.content for chunk in chunks}
    write_json(path, {"queries": queries, "corpus": texts, "relevant_docs": relevant, "mode": "text"})
    return lost


def _parts(path: Path, text: str) -> dict[str, dict[str, Any]]:
    data = parse_json(text, str(path))
    wrong = [name for name in PARTS if not isinstance(data, dict) or not isinstance(data.get(name), dict)]
    texts = [] if wrong else [key for key, value in data["corpus"].items() if not isinstance(value, str) or not key]
    if wrong or texts:
        what = f"{', '.join(wrong)}: no object of that name" if wrong else f"the corpus node {texts[0]!r} is no text"
        raise InputError([Problem(str(path), 0, 0, "", what, "Check that the format is the right one")])
    return {name: data[name] for name in PARTS}


def _without_query(path: Path, line: int, name: str) -> Problem:
    return Problem(
        str(path), line, 0, "", f"relevant_docs names the query {name!r}, which is not there", "Add the query"
    )


def _convert(row: Row, data: dict[str, dict[str, Any]], ids: CaseIds, corpus: CorpusLookup) -> GoldenCase:
    foreign, query = row.value
    case_id = ids.claim(foreign, row)
    nodes = texts_of(row, case_id, data["relevant_docs"].get(foreign), "relevant_docs")
    if not nodes:
        raise row.fail(case_id, "no relevant node is named", "Add it to relevant_docs")
    known = [node for node in nodes if corpus.chunk(node)]
    labels = chunk_labels(known, [node for node in nodes if node not in known], corpus)
    texts = [data["corpus"][node] for node in nodes if node in data["corpus"]]
    for node in nodes:
        if node not in data["corpus"] and node not in known:
            what = f"the relevant node {node!r} is not in the corpus"
            ids.remarks.append(row.problem(case_id, what, "Add it, or correct its id"))
    evidence = or_stand_in(row, case_id, evidence_for(labels, corpus, texts=texts), labels, ids.remarks)
    return build_case(row, case_id, {"query": query, "expected": {"documents": labels, "evidence": evidence}})


def _nodes(case: GoldenCase, lookup: CorpusLookup, lost: list[str]) -> list[str]:
    if isinstance(case.expected, str):
        return []
    for name, value in (("fault_type", case.fault_type), ("tags", case.tags), ("notes", case.notes)):
        if value:
            lost.append(f"case {case.id}: {name} has no form there")
    labels = [label.model_dump() for label in case.expected.documents if label.relevance > 0]
    if len({label["relevance"] for label in labels}) > 1 or len(labels) < len(case.expected.documents):
        lost.append(f"case {case.id}: relevance grades have no form there")
    lost.append(f"case {case.id}: evidence has no form there")
    return list(dict.fromkeys(chunk.chunk_id for label in labels for chunk in lookup.labelled(label)))
