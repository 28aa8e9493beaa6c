"""Where a section may have gone when no manifest tells: by the evidence of the case, and only if one place fits."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from stages.core.corpus_view import CorpusView
from stages.core.evidence import searchable_text
from stages.core.normalise import normalise
from stages.records.corpus_manifest import ManifestEntry
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate

ALIKE = 0.75


def guess_place(label: Expectation, evidence: Evidence, view: CorpusView) -> tuple[ManifestEntry, ...]:
    """Return the one entry that fits, or nothing.

    A lost section: the one section of the document which holds every keyword, else the one whose name is much
    alike. A lost document: the one which has the section, if any is named, and in it every keyword.
    """
    by_document = view.documents
    if label.doc_id in by_document:
        inside = by_document[label.doc_id]
        found = _holding(inside, evidence) or _alike(inside, label.section or "")
    else:
        named = [item for item in view.candidates if _same_name(item.section, label.section)]
        found = _holding(named, evidence)
    if len(found) != 1:
        return ()
    return tuple(entry for entry in view.entries if entry.chunk_id == found[0].chunk_id)


def _holding(candidates: Sequence[Candidate], evidence: Evidence) -> list[Candidate]:
    words = [normalise(keyword) for keyword in evidence.keywords]
    if not words:
        return []
    return [item for item in candidates if all(word in searchable_text(item) for word in words)]


def _alike(candidates: Sequence[Candidate], section: str) -> list[Candidate]:
    wanted = normalise(section)
    return [item for item in candidates if _ratio(wanted, normalise(item.section or "")) >= ALIKE]


def _ratio(wanted: str, name: str) -> float:
    shorter, longer = sorted((wanted, name), key=len)
    return 1.0 if shorter and shorter in longer else SequenceMatcher(None, wanted, name).ratio()


def _same_name(section: str | None, wanted: str | None) -> bool:
    return wanted is None or normalise(section or "") == normalise(wanted)
