"""What of a chunk an engine indexes, as text."""

from collections.abc import Sequence

from stages.records.chunk import Chunk
from stages.records.params.bm25 import IndexField


def chunk_text(chunk: Chunk, fields: Sequence[IndexField]) -> str:
    """The chosen fields in the order given, each on lines of its own; a field without text leaves no line."""
    return "\n".join(text for field in fields if (text := _field(chunk, field)))


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
