"""What an engine found, as the candidates of a recording."""

from collections.abc import Iterable, Mapping

from stages.records.chunk import Chunk
from stages.records.recording import Candidate


def engine_candidates(
    found: Iterable[tuple[str, float]], chunks: Mapping[str, Chunk], score_label: str
) -> tuple[Candidate, ...]:
    """Candidates in the order of `found` (chunk id and score), with all that the chunk says about itself."""
    return tuple(
        _candidate(rank, chunks[chunk_id], score, score_label) for rank, (chunk_id, score) in enumerate(found, 1)
    )


def _candidate(rank: int, chunk: Chunk, score: float, score_label: str) -> Candidate:
    return Candidate(
        rank=rank,
        doc_id=chunk.doc_id,
        title=chunk.title,
        source=chunk.source,
        section=chunk.section,
        breadcrumb=chunk.breadcrumb,
        category=chunk.category,
        chunk_id=chunk.chunk_id,
        content=chunk.content,
        score=score,
        score_label=score_label,
    )
