"""What the retrievers found for a question, and what else stands in those documents."""

from collections.abc import Mapping, Sequence

from stages.records.chunk import Chunk
from stages.records.found_section import FoundSection
from stages.records.recording import Recording


def found_sections(
    recordings: Mapping[str, Recording], chunks: Sequence[Chunk], depth: int
) -> tuple[list[FoundSection], list[FoundSection]]:
    """Return what was found, and what stands beside it.

    The first are the sections that a retriever has among its first `depth`, best first; the second the other sections
    of the same documents, in order of the corpus.
    """
    ranks: dict[str, dict[str, int]] = {}
    for name, recording in recordings.items():
        for item in recording.candidates[:depth]:
            ranks.setdefault(item.chunk_id or "", {})[name] = item.rank
    known = {chunk.chunk_id: chunk for chunk in chunks}
    found = [FoundSection(known[id_], places) for id_, places in ranks.items() if id_ in known]
    found.sort(key=lambda one: (min(one.ranks.values()), -len(one.ranks), one.chunk.chunk_id))
    documents = {one.chunk.doc_id for one in found}
    beside = [FoundSection(chunk, {}) for chunk in chunks if chunk.doc_id in documents and chunk.chunk_id not in ranks]
    return found, beside
