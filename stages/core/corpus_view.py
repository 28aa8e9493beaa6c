"""The corpus as the check of labels sees it: now, and when the labels were last right."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from stages.core.chunk_candidate import chunk_candidate
from stages.core.corpus_manifest import corpus_manifest
from stages.core.evidence import searchable_text
from stages.core.relocation import Relocations
from stages.records.chunk import Chunk
from stages.records.corpus_manifest import ManifestEntry
from stages.records.recording import Candidate


@dataclass(frozen=True)
class CorpusView:
    """`candidates` and `entries` are the corpus of now, by chunk id; `before` is the manifest, or empty.

    `has_text` is False where the corpus of now is known from a manifest only; evidence cannot be checked then.
    """

    candidates: tuple[Candidate, ...]
    entries: tuple[ManifestEntry, ...]
    before: tuple[ManifestEntry, ...]
    has_text: bool = True

    @cached_property
    def relocations(self) -> Relocations:
        """Where each section of before is now."""
        return Relocations(self.before, self.entries)

    @cached_property
    def documents(self) -> dict[str, list[Candidate]]:
        """Return the candidates of each document."""
        return by_document(self.candidates)

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """Return everything in which a keyword may stand, by document, normalised."""
        return {name: [searchable_text(item) for item in items] for name, items in self.documents.items()}

    @cached_property
    def entries_before(self) -> dict[str, ManifestEntry]:
        """Return the entries of before by chunk id."""
        return {entry.chunk_id: entry for entry in self.before}

    @cached_property
    def documents_before(self) -> dict[str, list[Candidate]]:
        """Return the entries of before as candidates, for the rules that match labels, by document."""
        return by_document([entry_candidate(entry) for entry in self.before])


def by_document(candidates: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """Return candidates by the id of their document."""
    found: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        found.setdefault(candidate.doc_id or "", []).append(candidate)
    return found


def view_chunks(chunks: Sequence[Chunk], before: Sequence[ManifestEntry]) -> CorpusView:
    """Return the view of a corpus whose text is at hand."""
    ordered = sorted(chunks, key=lambda chunk: chunk.chunk_id)
    return CorpusView(tuple(map(chunk_candidate, ordered)), tuple(corpus_manifest(ordered)), tuple(before))


def view_manifest(entries: Sequence[ManifestEntry], before: Sequence[ManifestEntry]) -> CorpusView:
    """Return the view of a corpus of which only the manifest is at hand."""
    candidates = tuple(entry_candidate(entry) for entry in entries)
    return CorpusView(candidates, tuple(entries), tuple(before), has_text=False)


def entry_candidate(entry: ManifestEntry) -> Candidate:
    """Return an entry as a candidate, for the rules that match labels."""
    return Candidate(
        rank=1,
        doc_id=entry.doc_id,
        title=entry.title,
        section=entry.section,
        breadcrumb=entry.breadcrumb,
        chunk_id=entry.chunk_id,
    )
