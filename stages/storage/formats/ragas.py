"""Ragas-style rows (`user_input`, `reference_context_ids`, ...), in and out."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stages.records.golden import Expectation, GoldenCase
from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError
from stages.records.recording import Candidate, Recording
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.collect import collect_cases
from stages.storage.formats.golden_case import build_case, or_stand_in, texts_of
from stages.storage.formats.labels import CorpusLookup, chunk_labels, evidence_for
from stages.storage.formats.rows import Row, as_object, json_rows
from stages.storage.formats.run_depth import at_run_depth
from stages.storage.json_file import write_json, write_json_lines

QUERY_NAMES = ("user_input", "question", "query")
KNOWN = {"id", *QUERY_NAMES, "reference_context_ids", "reference_contexts", "retrieved_context_ids"}
TEXTS = "retrieved_contexts"


def read_ragas(path: Path, corpus: CorpusLookup, scenario: str = "chat_lookup") -> Imported:
    """Read cases, and a recording for each row with `retrieved_context_ids`.

    Raises:
        InputError: no JSON (a list, or lines), or no rows.
    """
    ids = CaseIds()
    recordings: list[Recording] = []

    def convert(row: Row) -> ImportedCase:
        case = _convert(row, ids, corpus)
        retrieved = row.value.get("retrieved_context_ids")
        if retrieved is not None:
            recordings.append(_recording(row, case, retrieved, corpus))
        return ImportedCase(scenario, case)

    rows = json_rows(path, ("rows", "samples"))
    found = collect_cases(rows, convert, ids.remarks)
    return Imported(
        found.rows_in,
        found.rows_used,
        found.cases,
        recordings=at_run_depth(recordings),
        refused=found.refused,
        remarks=tuple(ids.remarks),
    )


def write_ragas(
    path: Path, cases: Iterable[ImportedCase], recordings: Mapping[str, Recording], corpus: CorpusLookup
) -> list[str]:
    """Write cases (with rankings where given) as lines, or as a list where the file is called `.json`.

    The ids are those of chunks, on both sides, as far as the corpus knows them: a document's id equals no chunk's.
    Return what was lost, one sentence each.
    """
    lost: list[str] = []
    rows = [row for item in cases if (row := _row(item.case, recordings.get(item.case.id), corpus, lost))]
    if path.suffix == ".json":
        write_json(path, rows)
    else:
        write_json_lines(path, rows)
    return lost


def _convert(row: Row, ids: CaseIds, corpus: CorpusLookup) -> GoldenCase:
    value = as_object(row)
    case_id = ids.claim(value.get("id", f"row-{row.number}"), row)
    queries = [value[name] for name in QUERY_NAMES if value.get(name)]
    query = queries[0] if queries else None
    for other in queries:
        if other != query:
            ids.remarks.append(row.problem(case_id, f"the row asks {other!r} besides its query", "It is left out"))
    nodes = texts_of(row, case_id, value.get("reference_context_ids"), "reference_context_ids")
    if not nodes:
        raise row.fail(case_id, "reference_context_ids is empty", "Label the row by ids; texts alone name no document")
    known = [node for node in nodes if corpus.chunk(node)]
    labels = chunk_labels(known, [node for node in nodes if node not in known], corpus)
    texts = texts_of(row, case_id, value.get("reference_contexts"), "reference_contexts")
    evidence = or_stand_in(row, case_id, evidence_for(labels, corpus, texts=texts), labels, ids.remarks)
    for name in sorted(set(value) - KNOWN - {TEXTS}):
        ids.remarks.append(row.problem(case_id, f"the field {name!r} has no place in a case", "It is left out"))
    return build_case(row, case_id, {"query": query, "expected": {"documents": labels, "evidence": evidence}})


def _recording(row: Row, case: GoldenCase, retrieved: Any, corpus: CorpusLookup) -> Recording:
    nodes = texts_of(row, case.id, retrieved, "retrieved_context_ids")
    texts = texts_of(row, case.id, row.value.get(TEXTS), TEXTS)
    if texts and len(texts) != len(nodes):
        what = f"there are {len(nodes)} retrieved_context_ids but {len(texts)} {TEXTS}"
        raise InputError([row.problem(case.id, what, "Give as many of one as of the other")])
    candidates = [
        _candidate(rank, node, texts[rank - 1] if texts else None, corpus) for rank, node in enumerate(nodes, 1)
    ]
    return Recording(case_id=case.id, query=str(case.query), top_k=max(1, len(nodes)), candidates=tuple(candidates))


def _candidate(rank: int, node: str, text: str | None, corpus: CorpusLookup) -> Candidate:
    chunk = corpus.chunk(node)
    if chunk is None:
        return Candidate(rank=rank, doc_id=node, content=text)
    return Candidate(
        rank=rank,
        doc_id=chunk.doc_id,
        title=chunk.title or None,
        section=chunk.section,
        breadcrumb=chunk.breadcrumb,
        chunk_id=node,
        content=text or chunk.content,
    )


def _row(case: GoldenCase, recording: Recording | None, corpus: CorpusLookup, lost: list[str]) -> dict[str, Any]:
    if isinstance(case.expected, str) or not isinstance(case.query, str):
        lost.append(f"case {case.id}: no plain query with labels; the case is left out")
        return {}
    labels = [label for label in case.expected.documents if label.relevance > 0]
    lost.append(f"case {case.id}: relevance, evidence and tags have no form there")
    row: dict[str, Any] = {
        "id": case.id,
        "user_input": case.query,
        "reference_context_ids": list(dict.fromkeys(name for label in labels for name in _ids(label, corpus))),
    }
    if recording is not None:
        row["retrieved_context_ids"] = [item.chunk_id or item.doc_id or "" for item in recording.candidates]
        row[TEXTS] = [item.content or "" for item in recording.candidates]
    return row


def _ids(label: Expectation, corpus: CorpusLookup) -> list[str]:
    chunks = label.chunk_ids or [chunk.chunk_id for chunk in corpus.labelled(label.model_dump())]
    return list(chunks or filter(None, [label.doc_id]))
