"""A chunk of the corpus as a candidate: what a retriever that found it would return."""

from stages.records.chunk import Chunk
from stages.records.recording import Candidate


def chunk_candidate(chunk: Chunk) -> Candidate:
    """Return the candidate, at rank 1 and without a score."""
    return Candidate(
        rank=1,
        doc_id=chunk.doc_id,
        title=chunk.title,
        section=chunk.section,
        breadcrumb=chunk.breadcrumb,
        chunk_id=chunk.chunk_id,
        content=chunk.content,
    )
