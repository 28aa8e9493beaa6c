"""What of a chunk BM25 indexes."""

from stages.core.analyser import analyse
from stages.core.chunk_text import chunk_text
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params


def chunk_terms(chunk: Chunk, params: Bm25Params) -> list[str]:
    """The terms of the chosen fields, one after the other; a term in two fields counts twice."""
    return analyse(chunk_text(chunk, params.index_fields), params.identifier_parts)
