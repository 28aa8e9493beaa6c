"""Floors for metrics and limits for counts, held against an aggregate."""

import math
from collections.abc import Iterator, Mapping

from stages.records.scored import Aggregate
from stages.records.thresholds import ThresholdCheck

LIMITS = ("miss", "medium", "not_run", "error", "unavailable", "unwinnable")
# A mean of n values in sixths or thirds must not fail its own floor for the last bit of a float.
TOLERANCE = 1e-9


def check_thresholds(aggregate: Aggregate, thresholds: Mapping[str, float]) -> list[ThresholdCheck]:
    """Return one check a threshold, in the order written.

    `max_<count>` limits a count (miss, medium, not_run, error, unavailable, unwinnable); every other name is a
    metric and its floor. A floor without a single value fails: silence is no pass.
    """
    return [_check(aggregate, name, limit) for name, limit in thresholds.items()]


def unknown_thresholds(aggregate: Aggregate, thresholds: Mapping[str, float]) -> Iterator[str]:
    """Yield the names that are neither a limit nor a metric of the report."""
    for name in thresholds:
        if name not in aggregate.metrics and name.removeprefix("max_") not in LIMITS:
            yield name


def _check(aggregate: Aggregate, name: str, limit: float) -> ThresholdCheck:
    if name.startswith("max_"):
        count = getattr(aggregate, name.removeprefix("max_"))
        verdict = "pass" if count <= limit else "fail"
        message = f"{count} of {aggregate.cases} cases, at most {limit:g} allowed"
        return ThresholdCheck(rule=name, value=count, n=aggregate.cases, limit=limit, verdict=verdict, message=message)
    found = aggregate.metrics[name]
    if found.value is None:
        message = f"no case has this metric, so the floor {limit:g} cannot be met"
        return ThresholdCheck(rule=name, value=None, n=0, limit=limit, verdict="fail", message=message)
    passed = found.value >= limit - TOLERANCE
    message = f"{found.value:.4f} over {found.n} cases, floor {limit:g}{_reach(name, limit, found.n)}"
    return ThresholdCheck(
        rule=name, value=found.value, n=found.n, limit=limit, verdict="pass" if passed else "fail", message=message
    )


def _reach(name: str, limit: float, count: int) -> str:
    """Say where a floor on a share of cases lies between two whole numbers of cases."""
    needed = limit * count
    if not name.startswith("hit") or math.isclose(needed, round(needed), abs_tol=TOLERANCE):
        return ""
    return f" (met from {math.ceil(needed)} of {count} cases)"
