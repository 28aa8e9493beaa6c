"""Two runs side by side: stored aggregates, or two folders of recordings."""

from collections.abc import Mapping, Sequence
from typing import Literal

from stages.records.aggregates import Aggregates
from stages.records.case import Case
from stages.records.golden import Expectation
from stages.records.record import Record
from stages.records.recording import Candidate, Recording

Kind = Literal["win", "loss", "draw", "regression"]
CHUNKER_KEYS = ("chunker_version", "chunker")


class MetricDelta(Record):
    """One mean on both sides; `delta` is null where a side has nothing to average."""

    metric: str
    before: float | None
    after: float | None
    delta: float | None


class CaseComparison(Record):
    """One case on both sides: rank of the first hit (null: none) and what became of it.

    A `regression` is a hit that became a miss; a `loss` fell but is still there.
    """

    case_id: str
    kind: Kind
    before: int | None
    after: int | None
    matched_by: Literal["chunk", "section", "document"]


def compare_aggregates(before: Aggregates, after: Aggregates) -> list[MetricDelta]:
    """Return every metric that either side has, in the order of the file, maps by k."""
    sides = [_flat(side) for side in (before, after)]
    return [
        MetricDelta(metric=name, before=first, after=second, delta=_delta(first, second))
        for name in dict.fromkeys((*sides[0], *sides[1]))
        for first, second in [(sides[0].get(name), sides[1].get(name))]
        if first is not None or second is not None
    ]


def chunkers(recordings: Mapping[str, Recording]) -> tuple[str, ...]:
    """Return the chunkers that made the recordings, as their provenance names them, sorted; unnamed is none."""
    named = {
        str(item.provenance[key]) for item in recordings.values() for key in CHUNKER_KEYS if key in item.provenance
    }
    return tuple(sorted(named))


def compare_recordings(
    cases: Sequence[Case], before: Mapping[str, Recording], after: Mapping[str, Recording], *, by_chunk: bool
) -> list[CaseComparison]:
    """Return the cases which both sides answered, by id.

    Chunk ids are compared only where `by_chunk` allows it (one chunker made both sides) and the case names them;
    else a candidate hits by document and section, or by document where the case names no section.
    """
    found = []
    for case in sorted(cases, key=lambda case: case.id):
        sides = [side[case.id] for side in (before, after) if case.id in side and side[case.id].state == "ok"]
        if len(sides) == 2 and case.answerable:  # noqa: PLR2004
            ranks = [_first_hit(case, side, by_chunk=by_chunk) for side in sides]
            found.append(_compared(case, ranks[0], ranks[1], by_chunk=by_chunk))
    return found


def _flat(side: Aggregates) -> dict[str, float | None]:
    flat: dict[str, float | None] = {}
    for name, value in side:
        if isinstance(value, dict):
            flat |= {f"{name.replace('_at_k', '')}@{k}": value[k] for k in sorted(value)}
        else:
            flat[name] = value
    return flat


def _delta(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _compared(case: Case, before: int | None, after: int | None, *, by_chunk: bool) -> CaseComparison:
    kind: Kind = "draw"
    if before != after:
        kind = "win" if before is None or (after is not None and after < before) else "loss"
        kind = "regression" if after is None else kind
    return CaseComparison(
        case_id=case.id, kind=kind, before=before, after=after, matched_by=_matched_by(case, by_chunk=by_chunk)
    )


def _matched_by(case: Case, *, by_chunk: bool) -> Literal["chunk", "section", "document"]:
    if by_chunk and any(label.chunk_ids for label in _relevant(case)):
        return "chunk"
    return "section" if any(label.section for label in _relevant(case)) else "document"


def _first_hit(case: Case, recording: Recording, *, by_chunk: bool) -> int | None:
    labels = _relevant(case)
    use_chunks = _matched_by(case, by_chunk=by_chunk) == "chunk"
    hits = [item.rank for item in recording.candidates if any(_hits(label, item, use_chunks) for label in labels)]
    return min(hits, default=None)


def _relevant(case: Case) -> list[Expectation]:
    return [label for label in case.expectations if label.relevance > 0]


def _hits(label: Expectation, candidate: Candidate, use_chunks: bool) -> bool:
    if use_chunks:
        return candidate.chunk_id in label.chunk_ids
    named = candidate.doc_id == label.doc_id if label.doc_id else candidate.title == label.label
    return named and (label.section is None or candidate.section == label.section)
