"""When a recording counts, and the reason when it does not."""

import pytest
from made import READY, case, recording

from stages.core.replay import replay_case, replay_path
from stages.records.recording import PathState


def replay(made, top_k: int = 5, cutoffs: tuple[int, ...] = (), state: PathState = READY):
    return replay_case(case("a"), made, state, top_k, cutoffs)


def test_a_recording_is_cut_at_the_depth_that_scoring_needs() -> None:
    ranking = replay(recording("a", "b", "c", "d"), top_k=2, cutoffs=(1, 3))
    assert (ranking.state, len(ranking.candidates), ranking.depth, ranking.complete) == ("ok", 3, 3, True)


def test_an_empty_recording_is_an_answer() -> None:
    ranking = replay(recording())
    assert (ranking.state, ranking.candidates, ranking.complete) == ("ok", (), True)


@pytest.mark.parametrize(
    ("made", "state", "code", "reason"),
    [
        (None, "not_run", "not_recorded", "no recording"),
        (
            recording("a", query="old"),
            "not_run",
            "stale_recording",
            "stale recording: it was made for the query 'old'",
        ),
        (recording("a", "b", "c", top_k=3), "not_run", "too_shallow", "recorded to depth 3, topK is 5"),
        (recording(state="error", code="timeout", reason="no answer in 5 s"), "error", "timeout", "no answer in 5 s"),
    ],
)
def test_what_does_not_count_says_why(made, state: str, code: str, reason: str) -> None:
    ranking = replay(made)
    assert (ranking.state, ranking.code, ranking.reason, ranking.candidates) == (state, code, reason, ())


def test_a_shallow_recording_which_had_no_more_to_give_counts() -> None:
    assert replay(recording("a", "b", top_k=3)).state == "ok"


def test_an_unavailable_path_keeps_its_last_candidates_for_review_only() -> None:
    down = PathState(path="sidecar", status="unavailable", code="timeout", reason="no answer")
    ranking = replay(recording("a"), state=down)
    assert (ranking.state, ranking.code, len(ranking.candidates)) == ("unavailable", "timeout", 1)
    assert replay(None, state=down).state == "unavailable"


def test_a_recording_without_a_case_is_reported() -> None:
    rankings = replay_path([case("a")], {"c": recording("a"), "typo": recording(case_id="typo")}, READY, 5, [])
    assert rankings.orphans == ("typo",)
    assert [ranking.case_id for ranking in rankings.rankings] == ["c"]
