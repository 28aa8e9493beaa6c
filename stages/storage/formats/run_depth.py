"""The depth of a foreign run, of which only the rankings are known."""

from collections.abc import Iterable

from stages.records.recording import Recording


def at_run_depth(recordings: Iterable[Recording]) -> tuple[Recording, ...]:
    """Give each recording the depth of the longest.

    Whoever ranked ten for one query asked for ten: a query with four has only four, and was not cut at four.
    """
    kept = tuple(recordings)
    depth = max((len(recording.candidates) for recording in kept), default=0)
    return tuple(recording.model_copy(update={"top_k": max(1, depth)}) for recording in kept)
