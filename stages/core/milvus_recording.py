"""The answer of Milvus to one case, with how it was obtained."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.core.candidates import engine_candidates
from stages.records.chunk import Chunk
from stages.records.recording import Recording


def milvus_recording(
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
        candidates=engine_candidates(found, chunks, str(provenance["metric"]).lower()),
        provenance=dict(provenance),
    )
