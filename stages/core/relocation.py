"""Where the sections of the corpus of before went: told by their text, never by their names alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stages.records.corpus_manifest import ManifestEntry

Fate = Literal["kept", "rewritten", "renamed", "moved", "merged", "split", "gone"]
Place = tuple[str, str | None]
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


class Relocations:
    """Where each section of `before` is in `after`; a section that kept its place and text costs one look-up.

    renamed: within its document, or its whole document under another id. moved: in another document that was there
    before. merged: in one place together with another section of before. split: over several places. Sentences that
    a place had before already do not count as arrived there. rewritten: at its place, with next to nothing of its text.
    """

    def __init__(self, before: Sequence[ManifestEntry], after: Sequence[ManifestEntry]) -> None:
        self._before = before
        self._documents = {entry.doc_id for entry in before}
        self._old = {_place(entry): frozenset(entry.sentences) for entry in before}
        self._new = {_place(entry): entry for entry in after}
        self._holders: dict[str, list[ManifestEntry]] = {}
        for entry in after:
            for key in {entry.digest, *entry.sentences}:
                self._holders.setdefault(key, []).append(entry)
        self._known: dict[Place, Relocation] = {}

    def of(self, old: ManifestEntry) -> Relocation:
        """Return what became of one section of before."""
        place = _place(old)
        if place not in self._known:
            self._known[place] = self._relocate(old)
        return self._known[place]

    def _relocate(self, old: ManifestEntry) -> Relocation:
        same = self._new.get(_place(old))
        if same is not None and same.digest == old.digest:
            return Relocation("kept", (same,))
        shares = self._shares(old)
        best = shares[0][0] if shares else 0.0
        if same is not None and (self._share(old, same) >= PART or best < ELSEWHERE):
            return Relocation("kept" if self._share(old, same) >= PART else "rewritten", (same,))
        parts = self._parts(old, [new for share, new in shares if share >= PART])
        if len(parts) > 1:
            return Relocation("split", parts)
        if best >= MOST:
            return Relocation(self._single_fate(old, shares[0][1]), (shares[0][1],))
        return Relocation("gone")

    def _shares(self, old: ManifestEntry) -> list[tuple[float, ManifestEntry]]:
        """Return the places that hold anything of a section, with how much of it, most first."""
        keys = {old.digest, *old.sentences}
        holders = {_place(entry): entry for key in keys for entry in self._holders.get(key, ())}
        shares = [(self._share(old, new), new) for new in holders.values()]
        return sorted(shares, key=lambda pair: (-pair[0], pair[1].chunk_id))

    def _arrived(self, old: ManifestEntry, new: ManifestEntry) -> frozenset[str]:
        there = frozenset() if _place(new) == _place(old) else self._old.get(_place(new), frozenset())
        return frozenset(new.sentences) & (frozenset(old.sentences) - there)

    def _share(self, old: ManifestEntry, new: ManifestEntry) -> float:
        if old.digest == new.digest:
            return 1.0
        return len(self._arrived(old, new)) / len(set(old.sentences)) if old.sentences else 0.0

    def _parts(self, old: ManifestEntry, places: Sequence[ManifestEntry]) -> tuple[ManifestEntry, ...]:
        """Return the places that each add a part of the text, if together they hold most of it."""
        held: frozenset[str] = frozenset()
        parts = []
        count = len(set(old.sentences))
        for new in places:
            arrived = self._arrived(old, new)
            if len(arrived - held) >= PART * count:
                parts.append(new)
                held |= arrived
        return tuple(parts) if held and len(held) >= MOST * count else ()

    def _single_fate(self, old: ManifestEntry, target: ManifestEntry) -> Fate:
        if any(entry is not old and self._share(entry, target) >= MOST for entry in self._before):
            return "merged"
        return "moved" if target.doc_id != old.doc_id and target.doc_id in self._documents else "renamed"


def _place(entry: ManifestEntry) -> Place:
    return entry.doc_id, entry.section
