"""A recording to a ranking: cut at the depth that scoring needs, or the reason why it does not count."""

from collections.abc import Mapping, Sequence

from stages.records.case import Case
from stages.records.ranking import Ranking, RankingFile
from stages.records.recording import PathState, Recording


def replay_path(
    cases: Sequence[Case], recordings: Mapping[str, Recording], state: PathState, top_k: int, cutoffs: Sequence[int]
) -> RankingFile:
    """Return a ranking for every case, sorted by id, and the recordings which belong to no case."""
    rankings = [replay_case(case, recordings.get(case.id), state, top_k, cutoffs) for case in cases]
    return RankingFile(
        path=state.path,
        top_k=top_k,
        state=state,
        rankings=tuple(sorted(rankings, key=lambda ranking: ranking.case_id)),
        orphans=tuple(sorted(recordings.keys() - {case.id for case in cases})),
    )


def replay_case(
    case: Case, recording: Recording | None, state: PathState, top_k: int, cutoffs: Sequence[int]
) -> Ranking:
    """Return the ranking of one case.

    An empty recording is an answer; no recording, one of another query and one that is shallower than `top_k` and
    might have held more are `not_run`. A case that failed in the last capture carries its failure, whatever older
    recording of it was kept. On an unavailable path the last good candidates are kept for review only.
    """
    if state.status == "unavailable":
        kept = _cut(recording, top_k) if recording else Ranking(case_id=case.id, state="unavailable")
        return kept.model_copy(update={"state": "unavailable", "code": state.code, "reason": state.reason})
    failure = state.failed.get(case.id) or (recording if recording and recording.state == "error" else None)
    if failure is not None:
        return Ranking(case_id=case.id, state=failure.state, code=failure.code, reason=failure.reason)
    if recording is None:
        return _not_run(case, "not_recorded", "no recording")
    if recording.query != case.query:
        return _not_run(case, "stale_recording", f"stale recording: it was made for the query {recording.query!r}")
    if recording.top_k < top_k and not _complete(recording):
        return _not_run(case, "too_shallow", f"recorded to depth {recording.top_k}, topK is {top_k}")
    return _cut(recording, max(top_k, *cutoffs, 1))


def _not_run(case: Case, code: str, reason: str) -> Ranking:
    return Ranking(case_id=case.id, state="not_run", code=code, reason=reason)


def _complete(recording: Recording) -> bool:
    return len(recording.candidates) < recording.top_k


def _cut(recording: Recording, depth: int) -> Ranking:
    return Ranking(
        case_id=recording.case_id,
        state="ok",
        code=recording.code,
        degraded=recording.reason,
        depth=min(depth, recording.top_k),
        complete=_complete(recording),
        candidates=recording.candidates[:depth],
    )
