"""Whether a live path is accepted, and what a reviewer needs to agree."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stages.core.case_outcome import label, outcome
from stages.core.case_pair import candidate_name
from stages.core.comparison import Side
from stages.core.reconciliation import reconcile
from stages.core.review_view import names
from stages.core.thresholds import check_thresholds
from stages.records.acceptance import Acceptance, IndexChange, LiveCase, ShownResult, Verdict
from stages.records.params.live import LiveParams
from stages.records.ranking import Ranking
from stages.records.recording import Recording
from stages.records.scored import ScoredCase
from stages.records.thresholds import ThresholdCheck


@dataclass(frozen=True)
class Shown:
    """What of a case is shown: results, and no reason which the head of the report has told for all."""

    top_k: int
    results: int
    told: str | None


def accept(
    live: Side, recorded: Side, recordings: Mapping[str, Recording], index: IndexChange, params: LiveParams
) -> Acceptance:
    """Return the acceptance report of the cases which `live` has.

    Args:
        live: The live path, scored.
        recorded: The baseline over the same cases, scored.
        recordings: The live recordings, for what rankings leave out: the counts and the raw answers.
        index: What became of the index metadata.
        params: The criteria.
    """
    top_k = live.rankings.top_k
    rankings = [{one.case_id: one for one in side.rankings.rankings} for side in (live, recorded)]
    before = {case.case_id: case for case in recorded.scored.cases}
    checks = check_thresholds(live.scored.overall, params.criteria)
    if params.max_regressions is not None:
        checks.append(_regressions(live.scored.cases, before, params.max_regressions))
    cases = tuple(
        _case(
            (case, before[case.case_id]),
            (rankings[0][case.case_id], rankings[1][case.case_id]),
            recordings.get(case.case_id),
            Shown(top_k, params.shown_results, live.rankings.state.reason),
        )
        for case in live.scored.cases
    )
    return Acceptance(
        verdict=_verdict(live, checks),
        state=live.rankings.state,
        top_k=top_k,
        index=index,
        criteria=tuple(checks),
        agreement=dict(sorted(Counter(case.reconciled.agreement for case in cases).items())),
        overall=live.scored.overall,
        cases=cases,
    )


def _verdict(live: Side, checks: list[ThresholdCheck]) -> Verdict:
    if live.rankings.state.status == "unavailable" or live.scored.overall.scored == 0:
        return "inconclusive"
    return "accepted" if all(check.verdict == "pass" for check in checks) else "not_accepted"


def _regressions(cases: tuple[ScoredCase, ...], before: Mapping[str, ScoredCase], limit: int) -> ThresholdCheck:
    lost = [case.case_id for case in cases if outcome(before[case.case_id], case) == "regression"]
    named = f": {names(lost)}" if lost else ""
    count = "1 case is missed" if len(lost) == 1 else f"{len(lost)} cases are missed"
    return ThresholdCheck(
        rule="max_regressions",
        value=len(lost),
        n=len(cases),
        limit=limit,
        verdict="pass" if len(lost) <= limit else "fail",
        message=f"{count} which the baseline hits, at most {limit} allowed{named}",
    )


def _case(
    scored: tuple[ScoredCase, ScoredCase],
    rankings: tuple[Ranking, Ranking],
    recording: Recording | None,
    shown: Shown,
) -> LiveCase:
    reason = rankings[0].reason or rankings[0].degraded
    found = recording if recording and rankings[0].state == "ok" else None
    return LiveCase(
        case_id=scored[0].case_id,
        query=scored[0].query,
        level=label(scored[0]),
        recorded_level=label(scored[1]),
        reason=None if reason == shown.told else reason,
        requested=found.top_k if found else None,
        returned=found.returned if found else None,
        results=_results(found, min(shown.top_k, shown.results)),
        reconciled=reconcile(rankings[0], rankings[1], shown.top_k),
        raw=_raw(found),
    )


def _results(recording: Recording | None, shown: int) -> tuple[ShownResult, ...]:
    return tuple(
        ShownResult(
            rank=one.rank,
            name=candidate_name(one),
            title=one.title,
            source=one.source,
            score=one.score,
            score_label=one.score_label,
        )
        for one in (recording.candidates if recording else ())[:shown]
    )


def _raw(recording: Recording | None) -> Any:
    return recording.raw if recording else None
