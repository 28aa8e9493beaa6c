"""A section of the corpus as somebody who writes a case sees it."""

from dataclasses import dataclass

from stages.records.chunk import Chunk


@dataclass(frozen=True)
class FoundSection:
    """One section, and its rank on each retriever that found it; no rank for a section shown beside those."""

    chunk: Chunk
    ranks: dict[str, int]
