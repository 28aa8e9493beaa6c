"""Chunks to manifest entries."""

import hashlib
import re
from collections.abc import Iterable

from stages.core.normalise import normalise
from stages.records.chunk import Chunk
from stages.records.corpus_manifest import ManifestEntry

# A sentence shorter than this (normalised) says nothing about where a text went.
SHORTEST = 6
_ENDS = re.compile(r"[\n。！？；!?;]|\.(?=\s)")


def corpus_manifest(chunks: Iterable[Chunk]) -> list[ManifestEntry]:
    """Return one entry a chunk, by chunk id."""
    return [manifest_entry(chunk) for chunk in sorted(chunks, key=lambda chunk: chunk.chunk_id)]


def manifest_entry(chunk: Chunk) -> ManifestEntry:
    """Return the entry of one chunk."""
    return ManifestEntry(
        doc_id=chunk.doc_id,
        title=chunk.title,
        section=chunk.section,
        breadcrumb=chunk.breadcrumb,
        chunk_id=chunk.chunk_id,
        digest=_digest(normalise(chunk.content), 16),
        sentences=tuple(_sentences(chunk.content)),
    )


def _sentences(text: str) -> Iterable[str]:
    for part in _ENDS.split(text):
        plain = normalise(part)
        if len(plain) >= SHORTEST:
            yield _digest(plain, 8)


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:length]
