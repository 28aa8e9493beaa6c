"""What of a chunk BM25 indexes."""

from stages.core.analyser import analyse
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params, IndexField


def chunk_terms(chunk: Chunk, params: Bm25Params) -> list[str]:
    """The terms of the chosen fields, one after the other; a term in two fields counts twice."""
    text = "\n".join(_field(chunk, field) for field in params.index_fields)
    return analyse(text, params.identifier_parts)


def _field(chunk: Chunk, field: IndexField) -> str:
    if field == "title":
        return chunk.title
    if field == "section":
        return chunk.section or ""
    if field == "body":
        return chunk.content
    if field == "keywords":
        return "\n".join(chunk.keywords)
    # The section ends the breadcrumb; it is a field of its own, and must not count twice.
    path = chunk.breadcrumb[:-1] if chunk.breadcrumb[-1:] == (chunk.section,) else chunk.breadcrumb
    return "\n".join(path)
