"""Which arm of a hybrid lost or kept what moved, from the ranks in each arm that the recordings carry."""

from collections.abc import Iterator, Mapping

from stages.core.ranking_causes import Move
from stages.records.recording import Candidate, Recording
from stages.records.review import Cause


def arm_causes(move: Move, old: Recording, new: Recording) -> Iterator[Cause]:
    """Yield one sentence over all arms where both recordings say what each arm had; else nothing."""
    before, after = _arm_ranks(move.old or move.new, old), _arm_ranks(move.new or move.old, new)
    arms = [name for name in arm_names(old) if name in arm_names(new)]
    words = [words for arm in arms if (words := _arm_words(arm, before.get(arm), after.get(arm)))]
    if words:
        yield Cause(code="arms", message="; ".join(words))


def arm_names(recording: Recording) -> list[str]:
    """Return the arms that were fused into a recording, sorted; none where it was not fused."""
    arms = recording.provenance.get("arms")
    return sorted(arms) if isinstance(arms, Mapping) else []


def origins(recording: Recording) -> dict[str, dict[str, int]]:
    """Return chunk id to its rank in each arm, as a fused recording carries it; what looks otherwise is passed over."""
    found = recording.provenance.get("origins")
    known = [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []
    return {str(item.get("chunk_id")): ranks for item in known if (ranks := _whole_numbers(item.get("arms")))}


def _whole_numbers(value: object) -> dict[str, int]:
    named = value.items() if isinstance(value, Mapping) else ()
    return {str(name): rank for name, rank in named if isinstance(rank, int)}


def _arm_ranks(candidate: Candidate | None, recording: Recording) -> dict[str, int]:
    return origins(recording).get(candidate.chunk_id or "", {}) if candidate else {}


def _arm_words(arm: str, before: int | None, after: int | None) -> str | None:
    if before is None and after is None:
        return None
    if after is None:
        return f"the {arm} arm lost it (was rank {before})"
    if before is None:
        return f"the {arm} arm found it (rank {after})"
    return (
        f"the {arm} arm kept it (rank {before})" if before == after else f"{arm} moved it from rank {before} to {after}"
    )
