"""The state of the hybrid as a path: ready, degraded or unavailable, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from stages.records.recording import PathState, Recording


def hybrid_state(recordings: Sequence[Recording], provenance: Mapping[str, Any]) -> PathState:
    """Unavailable if no case has an answer, degraded if any case lacks an arm, else ready."""
    faults = Counter(recording.reason for recording in recordings if recording.reason)
    if not faults:
        return PathState(path="hybrid", status="ready", provenance=dict(provenance))
    answered = any(recording.state == "ok" for recording in recordings)
    # The commonest reason, the first by name among equals; the recordings have each its own.
    reason, _ = min(faults.items(), key=lambda item: (-item[1], item[0]))
    return PathState(
        path="hybrid",
        status="degraded" if answered else "unavailable",
        code="degraded" if answered else "no_arm",
        reason=f"{faults.total()} of {len(recordings)} cases lack an arm; mostly: {reason}",
        provenance=dict(provenance),
    )
