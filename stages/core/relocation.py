"""Where a section of the corpus of before went: told by its text, never by its name alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from stages.records.corpus_manifest import ManifestEntry

Fate = Literal["kept", "renamed", "moved", "merged", "split", "gone"]
# Share of a section's sentences that must stand in one new place, for that to be where it went ...
MOST = 0.6
# ... and in one of several places, for that to be a part of it.
PART = 0.2
# Share from which another place holds the text although the old name is still there.
ELSEWHERE = 0.9


@dataclass(frozen=True)
class Relocation:
    """What became of one section: `targets` are its new places, in order of what they hold of it."""

    fate: Fate
    targets: tuple[ManifestEntry, ...] = ()


def relocate(old: ManifestEntry, before: Sequence[ManifestEntry], after: Sequence[ManifestEntry]) -> Relocation:
    """Return where a section of `before` is in `after`.

    renamed: within its document, or its whole document under another id. moved: in another document that was there
    before. merged: in one place together with another section of before. split: over several places. Sentences that
    a place had before already do not count as arrived there.
    """
    arrived = {id(new): _arrived(old, new, before) for new in after}
    shares = sorted(
        ((_share(old, new, arrived[id(new)]), new) for new in after), key=lambda pair: (-pair[0], pair[1].chunk_id)
    )
    best = shares[0][0] if shares else 0.0
    for share, new in shares:
        if _place(new) == _place(old) and (share >= PART or best < ELSEWHERE):
            return Relocation("kept", (new,))
    parts = _parts(old, [new for share, new in shares if share >= PART], arrived)
    if len(parts) > 1:
        return Relocation("split", parts)
    if best >= MOST:
        return Relocation(_single_fate(old, shares[0][1], before), (shares[0][1],))
    return Relocation("gone")


def _arrived(old: ManifestEntry, new: ManifestEntry, before: Sequence[ManifestEntry]) -> frozenset[str]:
    there = {
        sentence
        for entry in before
        if _place(entry) == _place(new) and _place(entry) != _place(old)
        for sentence in entry.sentences
    }
    return frozenset(set(new.sentences) & set(old.sentences) - there)


def _share(old: ManifestEntry, new: ManifestEntry, arrived: frozenset[str]) -> float:
    if old.digest == new.digest:
        return 1.0
    return len(arrived) / len(set(old.sentences)) if old.sentences else 0.0


def _parts(
    old: ManifestEntry, places: Sequence[ManifestEntry], arrived: Mapping[int, frozenset[str]]
) -> tuple[ManifestEntry, ...]:
    """Return the places that each add a part of the text, if together they hold most of it."""
    held: set[str] = set()
    parts = []
    count = len(set(old.sentences))
    for new in places:
        if len(arrived[id(new)] - held) >= PART * count:
            parts.append(new)
            held |= arrived[id(new)]
    return tuple(parts) if held and len(held) >= MOST * count else ()


def _single_fate(old: ManifestEntry, target: ManifestEntry, before: Sequence[ManifestEntry]) -> Fate:
    others = [entry for entry in before if entry is not old]
    if any(_share(entry, target, _arrived(entry, target, before)) >= MOST for entry in others):
        return "merged"
    documents = {entry.doc_id for entry in before}
    return "moved" if target.doc_id != old.doc_id and target.doc_id in documents else "renamed"


def _place(entry: ManifestEntry) -> tuple[str, str | None]:
    return entry.doc_id, entry.section
