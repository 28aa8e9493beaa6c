"""What one arm of the hybrid has to say about one case, or why it has nothing to say."""

from dataclasses import dataclass

from stages.records.case import Case
from stages.records.recording import Candidate, PathState, Recording


@dataclass(frozen=True)
class ArmAnswer:
    """One arm's candidates for one case.

    Attributes:
        candidates: In rank order; None if the arm has no answer (an empty tuple is an answer).
        code: Why it has none, or why its answer is not what it should be; None if all is well.
        reason: The same in words.
        corpus_digest: The corpus that it ranked, where it says so.
    """

    candidates: tuple[Candidate, ...] | None
    code: str | None = None
    reason: str | None = None
    corpus_digest: str | None = None


def arm_answer(case: Case, state: PathState, recording: Recording | None, depth: int) -> ArmAnswer:
    """The first `depth` candidates that the arm recorded for this case's query, or the reason why there are none."""
    if state.status == "unavailable":
        return ArmAnswer(None, state.code or "unavailable", state.reason or "unavailable")
    if recording is None:
        return ArmAnswer(None, "not_recorded", "no recording")
    if recording.state == "error":
        return ArmAnswer(None, recording.code or "error", recording.reason or "error")
    if recording.query != case.query:
        return ArmAnswer(None, "stale_recording", "recorded for another query")
    candidates = tuple(sorted(recording.candidates, key=lambda candidate: candidate.rank))[:depth]
    digest = recording.provenance.get("corpus_digest")
    if recording.top_k < depth and len(recording.candidates) >= recording.top_k:
        reason = f"recorded to depth {recording.top_k}, hybrid.depth is {depth}"
        return ArmAnswer(candidates, "too_shallow", reason, digest)
    return ArmAnswer(candidates, recording.code, recording.reason, digest)
