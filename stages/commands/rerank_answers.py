"""A reranker over HTTP, asked about recorded candidates of the hybrid."""

from pathlib import Path
from typing import Any

from stages.commands.engine_answers import Answers
from stages.commands.recorded_folder import path_answers
from stages.core.reranked_recording import document_of, reranked_recording
from stages.records.case import Case
from stages.records.params.reranker import RerankerParams
from stages.records.recording import PathState, Recording
from stages.retrievers.failure import EngineFailure
from stages.retrievers.json_service import JsonService
from stages.retrievers.rerank_http import HttpReranker


def rerank_answers(params: RerankerParams | None, candidates: Path) -> Answers:
    """Return a reranker of the recordings in the folder `candidates`; its scores replace theirs.

    Raises:
        EngineFailure: no reranker is configured, or there is nothing to rerank.
    """
    if params is None:
        raise EngineFailure("not_configured", "params.yaml names no reranker")
    found = path_answers(candidates, "fixture")
    state, recordings = found.state, found.recordings
    if not recordings:
        raise EngineFailure("no_candidates", f"{candidates} holds no recordings to rerank; capture the baseline first")
    service = JsonService("reranker", params.url, params.api_key_env, params.timeout_s, params.retries)
    reranker = HttpReranker(service, params.model, params.form)
    provenance = _provenance(reranker, state)

    def answer(case: Case) -> Recording:
        recording = recordings.get(case.id)
        if recording is None or recording.query != case.query:
            raise EngineFailure("stale_candidates", f"{candidates} holds no recording for the query of {case.id}")
        documents = [document_of(candidate) for candidate in recording.candidates]
        return reranked_recording(recording, reranker.rerank(case.query, documents, len(documents)), provenance)

    return Answers(provenance, answer)


def _provenance(reranker: HttpReranker, state: PathState) -> dict[str, Any]:
    return {"engine": "rerank", "reranker": reranker.identity(), "candidates": state.provenance}
