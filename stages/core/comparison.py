"""Two paths over all cases: the comparison that a migration needs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from stages.core.case_pair import pair_case
from stages.core.measure_plan import AT_TOP_K
from stages.core.paired_tests import sign_test
from stages.core.resolution import resolution_sentence
from stages.records.comparison import CasePair, Comparison, LeftOut, MetricPair, Readiness, Tally, Transition
from stages.records.ranking import RankingFile
from stages.records.recording import PathState
from stages.records.scored import Mean, ScoredPath

SIMILARITIES = ("overlap_at_k", "jaccard_at_k", "rank_biased_overlap")


@dataclass(frozen=True)
class Side:
    """One path: what it found, and how that scored."""

    rankings: RankingFile
    scored: ScoredPath


def compare(baseline: Side, current: Side, sidecar: Side) -> Comparison:
    """Return the comparison of the current path with the sidecar.

    The baseline stands in for a current path that was never captured. Rankings are compared by rank; raw scores
    only where both paths declare the same kind.
    """
    stands_in = current.rankings.state.captured_at is None and current.rankings.state.status == "unavailable"
    left = baseline if stands_in else current
    scores = _scores(left.rankings.state, sidecar.rankings.state)
    cases = _pairs(left, sidecar, comparable_scores=scores is None)
    compared = [case for case in cases if case.left_out is None]
    return Comparison(
        readiness={side.rankings.path: _readiness(side.rankings.state) for side in (baseline, current, sidecar)},
        left=left.rankings.path,
        right=sidecar.rankings.path,
        stand_in=_stand_in(left, current) if stands_in else None,
        top_k=sidecar.rankings.top_k,
        compared=len(compared),
        left_out=_left_out(cases),
        tally=_tally(compared),
        transitions=_transitions(compared),
        metrics=tuple(_metric(name, left.scored, sidecar.scored, compared) for name in AT_TOP_K),
        similarity={name: _mean([getattr(case, name) for case in compared]) for name in SIMILARITIES},
        scores=scores or "both paths declare the same kind of score, so its change is shown",
        cases=tuple(cases),
    )


def _readiness(state: PathState) -> Readiness:
    return Readiness(status=state.status, code=state.code, reason=state.reason, captured_at=state.captured_at)


def _stand_in(left: Side, current: Side) -> str:
    return f"{current.rankings.path} was never captured; {left.rankings.path} stands in for it"


def _scores(left: PathState, right: PathState) -> str | None:
    """Return why raw scores are not compared, None where they may be."""
    kinds = [state.provenance.get("score") for state in (left, right)]
    names = [kind.get("kind") if isinstance(kind, dict) else None for kind in kinds]
    if None in names:
        missing = [state.path for state, name in zip((left, right), names, strict=True) if name is None]
        verb = "declares" if len(missing) == 1 else "declare"
        return f"raw scores are not compared: {' and '.join(missing)} {verb} no kind of score"
    return None if kinds[0] == kinds[1] else f"raw scores are not compared: {names[0]} and {names[1]} differ in kind"


def _pairs(left: Side, right: Side, *, comparable_scores: bool) -> list[CasePair]:
    rankings = [{ranking.case_id: ranking for ranking in side.rankings.rankings} for side in (left, right)]
    scored = [{case.case_id: case for case in side.scored.cases} for side in (left, right)]
    return [
        pair_case(
            (left.rankings.path, right.rankings.path),
            (rankings[0][case_id], rankings[1][case_id]),
            (scored[0][case_id], scored[1][case_id]),
            right.rankings.top_k,
            comparable_scores,
        )
        for case_id in sorted(scored[0].keys() & scored[1].keys())
    ]


def _left_out(cases: Sequence[CasePair]) -> tuple[LeftOut, ...]:
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for case in cases:
        if case.left_out:
            by_reason[case.left_out].append(case.case_id)
    return tuple(LeftOut(reason=reason, cases=tuple(ids)) for reason, ids in sorted(by_reason.items()))


def _tally(cases: Sequence[CasePair]) -> Tally:
    outcomes = [case.outcome for case in cases if case.outcome]
    wins, ties, regressions = (outcomes.count(name) for name in ("win", "draw", "regression"))
    losses = outcomes.count("loss") + regressions
    return Tally(
        wins=wins,
        ties=ties,
        losses=losses,
        regressions=regressions,
        p_two_sided=sign_test(wins, losses).p_two_sided,
        resolution=resolution_sentence(len(outcomes)),
    )


def _transitions(cases: Sequence[CasePair]) -> tuple[Transition, ...]:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for case in cases:
        if case.outcome:
            found[case.left_level, case.right_level].append(case.case_id)
    return tuple(Transition(left=one, right=other, cases=tuple(ids)) for (one, other), ids in sorted(found.items()))


def _metric(name: str, left: ScoredPath, right: ScoredPath, compared: Sequence[CasePair]) -> MetricPair:
    ids = {case.case_id for case in compared}
    values = [_values(side, name, ids) for side in (left, right)]
    both = sorted(values[0].keys() & values[1].keys())
    means = [fmean(side[case_id] for case_id in both) if both else None for side in values]
    change = None if means[0] is None or means[1] is None else means[1] - means[0]
    return MetricPair(metric=name, left=means[0], right=means[1], change=change, n=len(both))


def _values(side: ScoredPath, name: str, ids: set[str]) -> Mapping[str, float]:
    found = {case.case_id: case.metrics.get(name) for case in side.cases if case.case_id in ids}
    return {case_id: value for case_id, value in found.items() if value is not None}


def _mean(values: Sequence[float | None]) -> Mean:
    known = [value for value in values if value is not None]
    return Mean(value=fmean(known) if known else None, n=len(known))
