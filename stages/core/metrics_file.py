"""The numbers for `dvc metrics diff`: finite or null, under keys that survive a change of topK."""

from stages.records.scored import Aggregate, ScoredPath

COUNTS = ("cases", "scored", "strong", "medium", "miss", "not_run", "error", "unavailable", "unwinnable", "no_answer")
BY_GROUP = ("recall_at_k", "mrr")


def metrics_file(scored: ScoredPath) -> dict[str, object]:
    """Return counts and means overall, and the most important of them by fault type."""
    by_fault_type = next(grouping for grouping in scored.groupings if grouping.by == "fault_type")
    return {
        **_counts(scored.overall),
        **{name: mean.value for name, mean in scored.overall.metrics.items()},
        "by_fault_type": {
            name: {
                **{level: getattr(group, level) for level in ("strong", "medium", "miss")},
                **{metric: group.metrics[metric].value for metric in BY_GROUP},
            }
            for name, group in by_fault_type.groups.items()
        },
    }


def _counts(aggregate: Aggregate) -> dict[str, int]:
    return {name: getattr(aggregate, name) for name in COUNTS}
