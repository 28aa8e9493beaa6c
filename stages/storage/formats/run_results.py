"""The knowledge base's `per_query.jsonl`: the rankings of one run, as recordings."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stages.records.imported import Imported
from stages.records.problem import InputError, Problem
from stages.records.recording import Recording
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.rows import Row, as_object, json_rows
from stages.storage.formats.run_depth import at_run_depth
from stages.storage.wording import complaint

NAMES = ("doc_id", "chunk_id", "doc_path")
PROVENANCE = ("chunker_version", "embedding_model", "index_version")


def read_run_results(path: Path) -> Imported:
    """Read one recording a query; the chunker's version is kept, since chunk ids mean nothing without it.

    Raises:
        InputError: no JSON, or no rows.
    """
    ids = CaseIds()
    rows = json_rows(path, ("per_query", "results"))
    recordings: list[Recording] = []
    refused: list[Problem] = []
    for row in rows:
        try:
            recordings.append(_recording(row, ids))
        except InputError as error:
            refused.extend(error.problems)
    return Imported(
        len(rows),
        len(recordings),
        recordings=at_run_depth(recordings),
        refused=tuple(refused),
        remarks=tuple(ids.remarks),
    )


def _recording(row: Row, ids: CaseIds) -> Recording:
    value = as_object(row)
    case_id = ids.claim(value.get("query_id"), row)
    hits = value.get("hits_top_k")
    if not isinstance(hits, list) or not all(isinstance(hit, dict) for hit in hits):
        raise row.fail(case_id, f"hits_top_k is {hits!r}, which is no list of hits", "Correct the row")
    nameless = [number for number, hit in enumerate(hits, 1) if not any(hit.get(name) for name in NAMES)]
    if nameless:
        what = (
            f"hits_top_k[{nameless[0]}] has neither {', '.join(NAMES[:-1])} nor {NAMES[-1]}, so it would match nothing"
        )
        raise row.fail(case_id, what, "Correct the row")
    fields = {
        "case_id": case_id,
        "query": value.get("query"),
        "top_k": max(1, len(hits)),
        "candidates": [_candidate(hit) for hit in hits],
        "provenance": {name: hits[0][name] for name in PROVENANCE if hits and hits[0].get(name)},
    }
    if value.get("error"):
        fields |= {"state": "error", "code": "engine_error", "reason": str(value["error"])}
    try:
        return Recording.model_validate(fields)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise InputError([row.problem(case_id, complaint(fault), "Correct the row") for fault in faults]) from None


def _candidate(hit: dict[str, Any]) -> dict[str, Any]:
    heading = hit.get("heading_path") or []
    retrieval = hit.get("retrieval") if isinstance(hit.get("retrieval"), dict) else {}
    return {
        "rank": hit.get("rank"),
        "doc_id": hit.get("doc_id"),
        "source": hit.get("doc_path"),
        "section": hit.get("section_label") or (heading[-1] if isinstance(heading, list) and heading else None),
        "breadcrumb": heading,
        "chunk_id": hit.get("chunk_id"),
        "content": hit.get("snippet"),
        "score": (retrieval or hit).get("fusion_score", hit.get("score")),
    }
