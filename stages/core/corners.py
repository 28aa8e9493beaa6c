"""Every mixture of old and new labels, recordings and yardstick, scored by the present evaluator."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from stages.core.case_scoring import score_cases
from stages.core.measure_plan import PlannedMeasure, plan_measures
from stages.core.replay import replay_case
from stages.records.case import Case
from stages.records.ranking import Ranking
from stages.records.recording import Recording
from stages.records.scored import ScoredCase
from stages.records.side import Side
from stages.records.yardstick import Yardstick

Corner = tuple[int, int, int]
Corners = Mapping[Corner, Mapping[str, ScoredCase]]
FACTORS = ("labels", "retriever", "yardstick")
CORNERS: tuple[Corner, ...] = tuple(
    (labels, retriever, yardstick) for labels in (0, 1) for retriever in (0, 1) for yardstick in (0, 1)
)
OLD: Corner = (0, 0, 0)
NEW: Corner = (1, 1, 1)


def score_side(side: Side) -> dict[str, ScoredCase]:
    """Score every case of a side with its own recordings and yardstick."""
    rankings = {id_: _replay(side, side.yardstick, case) for id_, case in side.cases.items()}
    return _score(side.cases, rankings, side.yardstick)


def score_corners(
    old: Side, new: Side, scored: tuple[Mapping[str, ScoredCase], Mapping[str, ScoredCase]], ids: Sequence[str]
) -> dict[Corner, dict[str, ScoredCase]]:
    """Score the cases `ids`, which both sides scored (`scored`), at all eight corners (labels, retriever, yardstick).

    0 takes a factor from the old side and 1 from the new. A mixture takes each answer as the retriever gave it to the
    question of its own side, and to the depth that it has. Only what differs is scored again: a factor that is the
    same on both sides makes its two corners one.
    """
    places = {id_: _places(differing(old, new, id_)) for id_ in ids}
    waiting: dict[Corner, list[str]] = defaultdict(list)
    for id_, place in places.items():
        for corner in set(place.values()) - {OLD, NEW}:
            waiting[corner].append(id_)
    known: dict[Corner, Mapping[str, ScoredCase]] = {OLD: scored[0], NEW: scored[1]}
    known |= {corner: _score_corner((old, new), corner, members) for corner, members in waiting.items()}
    return {corner: {id_: known[places[id_][corner]][id_] for id_ in ids} for corner in CORNERS}


def exchanged(corner: Corner, factor: str) -> Corner:
    """Return the corner with one factor taken from the new side."""
    labels, retriever, yardstick = (1 if name == factor else side for name, side in zip(FACTORS, corner, strict=True))
    return labels, retriever, yardstick


def differing(old: Side, new: Side, id_: str) -> Corner:
    """Return for each factor whether (1) or not (0) it differs for a case that both sides have."""
    return (
        int(old.cases[id_] != new.cases[id_]),
        int(old.recordings.get(id_) != new.recordings.get(id_)),
        int(old.yardstick != new.yardstick),
    )


def _places(differs: Corner) -> dict[Corner, Corner]:
    return {corner: _place(corner, differs) for corner in CORNERS}


def _place(corner: Corner, differs: Corner) -> Corner:
    """The corner at which one is scored: old or new where all that differs is, else with the rest from the new."""
    chosen = [side for side, differ in zip(corner, differs, strict=True) if differ]
    if all(chosen):
        return NEW
    if not any(chosen):
        return OLD
    labels, retriever, yardstick = (side if differ else 1 for side, differ in zip(corner, differs, strict=True))
    return labels, retriever, yardstick


def _score_corner(sides: tuple[Side, Side], corner: Corner, ids: Sequence[str]) -> dict[str, ScoredCase]:
    labels, retriever, yardstick = (sides[chosen] for chosen in corner)
    measured = yardstick.yardstick
    rankings = {id_: _replay(retriever, measured, retriever.cases[id_], mixed=True) for id_ in ids}
    return _score({id_: labels.cases[id_] for id_ in ids}, rankings, measured)


def _replay(side: Side, yardstick: Yardstick, case: Case, *, mixed: bool = False) -> Ranking:
    recording = side.recordings.get(case.id)
    if mixed and recording:
        recording = _as_deep_as_needed(recording, yardstick.top_k)
    return replay_case(case, recording, side.state, yardstick.top_k, yardstick.cutoffs)


def _as_deep_as_needed(recording: Recording, depth: int) -> Recording:
    """A topK that nobody recorded for is asked of what is known, so that the parts add up to the whole."""
    return recording if recording.top_k >= depth else recording.model_copy(update={"top_k": depth})


def _score(cases: Mapping[str, Case], rankings: Mapping[str, Ranking], yardstick: Yardstick) -> dict[str, ScoredCase]:
    scored = score_cases(list(cases.values()), rankings, _plan(yardstick), yardstick)
    return {case.case_id: case for case in scored}


def _plan(yardstick: Yardstick) -> tuple[PlannedMeasure, ...]:
    return plan_measures(yardstick.top_k, yardstick.cutoffs, yardstick.primary_grain)
