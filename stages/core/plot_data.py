"""Rows for `dvc plots`."""

from stages.core.grains import GRAINS
from stages.core.measure_plan import AT_CUTOFFS, reported_name
from stages.records.scored import ScoredPath


def level_rows(scored: ScoredPath) -> list[dict[str, object]]:
    """Return one row a fault type: how many cases are strong, medium and miss, and the share of strong ones."""
    grouping = next(grouping for grouping in scored.groupings if grouping.by == "fault_type")
    return [
        {
            "fault_type": name,
            "strong": group.strong,
            "medium": group.medium,
            "miss": group.miss,
            "strong_share": group.strong / group.scored if group.scored else None,
        }
        for name, group in grouping.groups.items()
    ]


def cutoff_rows(scored: ScoredPath) -> list[dict[str, object]]:
    """Return one row a cut-off, with hit, recall, precision and nDCG at each grain, as `recall_section` and so on."""
    return [{"k": cutoff, **_row(scored, cutoff)} for cutoff in scored.yardstick.cutoffs]


def _row(scored: ScoredPath, cutoff: int) -> dict[str, float | None]:
    means = scored.overall.metrics
    return {
        f"{measure}_{grain}": means[reported_name(f"{measure}@{cutoff}", grain, scored.yardstick.primary_grain)].value
        for measure in AT_CUTOFFS
        for grain in GRAINS
    }
