"""The answer of BM25 to one case, with how it was obtained."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.core.candidates import engine_candidates
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params
from stages.records.recording import Recording


def bm25_provenance(params: Bm25Params, digest: str) -> dict[str, Any]:
    """Engine, parameters and corpus; no versions of packages, which the lock file knows."""
    return {"engine": "bm25", "formula": "lucene", "corpus_digest": digest, "params": params.model_dump(mode="json")}


def bm25_recording(
    case_id: str,
    query: str,
    found: Sequence[tuple[str, float]],
    chunks: Mapping[str, Chunk],
    provenance: Mapping[str, Any],
) -> Recording:
    """The recording of one case; nothing found is an answer, and its candidate list is empty."""
    return Recording(
        case_id=case_id,
        query=query,
        top_k=provenance["params"]["depth"],
        candidates=engine_candidates(found, chunks, "bm25"),
        provenance=dict(provenance),
    )
