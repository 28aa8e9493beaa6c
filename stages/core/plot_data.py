"""Rows for `dvc plots`."""

from stages.core.grains import GRAINS
from stages.records.scored import Aggregate, ScoredPath


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
    """Return one row a grain and cut-off, with hit, recall, precision and nDCG."""
    return [
        {"grain": grain, "k": cutoff, **_row(scored.overall, cutoff, "" if grain == primary else f"_{grain}")}
        for primary in [scored.yardstick.primary_grain]
        for grain in GRAINS
        for cutoff in scored.yardstick.cutoffs
    ]


def _row(overall: Aggregate, cutoff: int, suffix: str) -> dict[str, float | None]:
    names = ("hit", "recall", "precision", "ndcg")
    return {name: overall.metrics[f"{name}@{cutoff}{suffix}"].value for name in names}
