"""The answer of one engine to one case, with how it was obtained."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.core.candidates import engine_candidates
from stages.records.chunk import Chunk
from stages.records.recording import Recording


def engine_recording(
    case_id: str,
    query: str,
    found: Sequence[tuple[str, float]],
    chunks: Mapping[str, Chunk],
    provenance: Mapping[str, Any],
) -> Recording:
    """The recording of one case; nothing found is an answer, and its candidate list is empty.

    A score goes by its metric, and by the engine where that knows one kind of score only.
    """
    return Recording(
        case_id=case_id,
        query=query,
        top_k=provenance["params"]["depth"],
        candidates=engine_candidates(found, chunks, provenance.get("metric", provenance["engine"]).lower()),
        provenance=dict(provenance),
    )
