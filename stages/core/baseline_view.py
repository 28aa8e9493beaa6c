"""What the Markdown of a report shows, in the order it shows it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from stages.core.baseline_report import candidate_label
from stages.core.grains import GRAINS, Grain
from stages.core.measure_plan import AT_CUTOFFS, AT_TOP_K, reported_name
from stages.core.not_run_reason import not_run_reason
from stages.core.shared_causes import shared_causes
from stages.records.baseline_report import BaselineReport
from stages.records.scored import Mean, ScoredCase

LEVEL_ORDER = ("miss", "medium")


def baseline_view(report: BaselineReport, cases: Sequence[ScoredCase]) -> dict[str, Any]:
    """Return the values of the templates `baseline.md.j2` and `baseline.html.j2`."""
    primary = report.yardstick.primary_grain
    not_run = [case for case in cases if case.state in {"not_run", "error", "unavailable"}]
    not_run_together = shared_causes({case.case_id: not_run_reason(case) for case in not_run})
    told = {case_id for ids in not_run_together.values() for case_id in ids}
    grains = [primary, *(grain for grain in GRAINS if grain != primary)]
    return {
        "report": report,
        "cases": cases,
        "grains": grains,
        "metric_rows": _metric_rows(report, grains),
        "fault_types": next(grouping.groups for grouping in report.groupings if grouping.by == "fault_type"),
        "unwinnable": [case for case in cases if case.state == "unwinnable"],
        "not_run": not_run,
        "without_ranking": Counter(case.state.replace("_", " ") for case in not_run),
        "not_run_together": not_run_together,
        "not_run_singly": [case for case in not_run if case.case_id not in told],
        "degraded": [case for case in cases if case.degraded and case.state == "ok"],
        "weak": [case for level in LEVEL_ORDER for case in cases if case.level == level],
        "label": candidate_label,
    }


def _metric_rows(report: BaselineReport, grains: Sequence[Grain]) -> list[dict[str, Any]]:
    cut = [f"{measure}@{cutoff}" for measure in AT_CUTOFFS for cutoff in report.yardstick.cutoffs]
    return [{"name": name, "means": _means(report, name, grains)} for name in [*AT_TOP_K, *cut]]


def _means(report: BaselineReport, name: str, grains: Sequence[Grain]) -> list[Mean]:
    names = [reported_name(name, grain, report.yardstick.primary_grain) for grain in grains]
    return [report.overall.metrics[reported] for reported in names]
