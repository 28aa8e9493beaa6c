"""From old to new in three steps: the recordings are exchanged, then the labels, then the yardstick."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stages.core.case_scoring import score_cases
from stages.core.measure_plan import plan_measures
from stages.core.replay import replay_case
from stages.records.case import Case
from stages.records.ranking import Ranking
from stages.records.recording import Recording
from stages.records.scored import ScoredCase
from stages.records.side import Side
from stages.records.yardstick import Yardstick

# The order is part of what the parts mean: docs/decisions has the reasons.
FACTORS = ("retriever", "labels", "yardstick")
Steps = Sequence[Mapping[str, ScoredCase]]
Scored = tuple[Mapping[str, ScoredCase], Mapping[str, ScoredCase]]


def score_side(side: Side) -> dict[str, ScoredCase]:
    """Score every case of a side with its own recordings and yardstick."""
    rankings = {id_: _replay(side, side.yardstick, case) for id_, case in side.cases.items()}
    return _score(side.cases, rankings, side.yardstick)


def score_sides(old: Side, new: Side) -> Scored:
    """Score both sides; what is the same on both is scored once."""
    after = score_side(new)
    shared = {id_ for id_ in old.cases if old.state == new.state and _same(old, new, id_)}
    rest = {id_: case for id_, case in old.cases.items() if id_ not in shared}
    before = {id_: after[id_] for id_ in shared} | score_side(replace(old, cases=rest))
    return {id_: before[id_] for id_ in old.cases}, after


def score_steps(old: Side, new: Side, scored: Scored, ids: Sequence[str]) -> list[dict[str, ScoredCase]]:
    """Score the cases `ids`, which both sides scored (`scored`), after 0, 1, 2 and 3 exchanged factors.

    A mixture takes each answer as the retriever gave it to the question of its own side, and to the depth that it has.
    Only what differs is scored again.
    """
    differ = {id_: differing(old, new, id_) for id_ in ids}
    steps: list[dict[str, ScoredCase]] = []
    for exchanged in range(len(FACTORS) + 1):
        places: dict[str, list[str]] = defaultdict(list)
        for id_, factors in differ.items():
            places[_place(factors, exchanged)].append(id_)
        found = {id_: scored[0][id_] for id_ in places["old"]} | {id_: scored[1][id_] for id_ in places["new"]}
        mixed = _score_mixture(old, new, exchanged, places["mixed"])
        steps.append({id_: found.get(id_) or mixed[id_] for id_ in ids})
    return steps


def differing(old: Side, new: Side, id_: str) -> tuple[bool, ...]:
    """Return for each factor whether it differs for a case that both sides have."""
    return (
        old.recordings.get(id_) != new.recordings.get(id_),
        old.cases[id_] != new.cases[id_],
        old.yardstick != new.yardstick,
    )


def _same(old: Side, new: Side, id_: str) -> bool:
    return id_ in new.cases and not any(differing(old, new, id_))


def _place(factors: Sequence[bool], exchanged: int) -> str:
    """Where a case is after a number of exchanges, seen by what differs for it."""
    if not any(factors[exchanged:]):
        return "new"
    return "mixed" if any(factors[:exchanged]) else "old"


def _score_mixture(old: Side, new: Side, exchanged: int, ids: Sequence[str]) -> dict[str, ScoredCase]:
    if not ids:
        return {}
    retriever, labels, yardstick = (new if index < exchanged else old for index in range(len(FACTORS)))
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
    plan = plan_measures(yardstick.top_k, yardstick.cutoffs, yardstick.primary_grain)
    scored = score_cases(list(cases.values()), rankings, plan, yardstick)
    return {case.case_id: case for case in scored}
