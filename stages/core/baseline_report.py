"""A scored path to its report."""

from collections.abc import Sequence

from stages.records.baseline_report import BaselineReport, ReportedCase
from stages.records.scored import METRIC_SEMANTICS, ScoredCase, ScoredPath, TopCandidate
from stages.records.thresholds import ThresholdCheck


def baseline_report(scored: ScoredPath, checks: Sequence[ThresholdCheck]) -> BaselineReport:
    """Return the report: it fails where one threshold fails or no case at all was scored."""
    failed = scored.overall.scored == 0 or any(check.verdict == "fail" for check in checks)
    return BaselineReport(
        metric_semantics=METRIC_SEMANTICS,
        path=scored.path,
        verdict="fail" if failed else "pass",
        thresholds=tuple(checks),
        state=scored.state,
        yardstick=scored.yardstick,
        overall=scored.overall,
        groupings=scored.groupings,
        orphans=scored.orphans,
        cases=tuple(_reported(case) for case in scored.cases),
    )


def candidate_label(candidate: TopCandidate) -> str:
    """Return what a reader knows a candidate by: `mq-backlog#核心指标`."""
    name = candidate.doc_id or candidate.title or candidate.chunk_id or "(no id)"
    return f"{name}#{candidate.section}" if candidate.section else name


def _reported(case: ScoredCase) -> ReportedCase:
    return ReportedCase(
        case_id=case.case_id,
        scenario=case.scenario,
        fault_type=case.fault_type,
        query=case.query,
        state=case.state,
        reason=case.reason,
        level=case.level,
        first_expected_rank=case.first_expected_rank,
        first_hit_rank=case.first_hit_rank,
        failed_checks=case.failed_checks,
        top=tuple(candidate_label(candidate) for candidate in case.top),
    )
