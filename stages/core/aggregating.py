"""Scored cases to counts and means, overall and by group."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from stages.records.scored import Aggregate, Grouping, Mean, ScoredCase

NO_GROUP = "(none)"
GROUPS: dict[str, Callable[[ScoredCase], Iterable[str]]] = {
    "scenario": lambda case: [case.scenario],
    "fault_type": lambda case: [case.fault_type or NO_GROUP],
    "lang": lambda case: [case.lang or NO_GROUP],
    "tag": lambda case: case.tags or [NO_GROUP],
}


def aggregate(cases: Sequence[ScoredCase], names: Sequence[str]) -> Aggregate:
    """Return counts, and the mean of each named metric over the cases that have it.

    Cases in the states not_run, error, unavailable and unwinnable are counted and in no mean;
    `expected: none` cases have the metric `false_positive_rate` (share of those with a false positive) alone.
    """
    scored = [case for case in cases if case.level is not None]
    unanswerable = [case for case in cases if case.false_positives is not None]
    metrics = {name: mean(case.metrics[name] for case in scored) for name in names}
    metrics["false_positive_rate"] = mean(float(bool(case.false_positives)) for case in unanswerable)
    return Aggregate(
        cases=len(cases),
        scored=len(scored),
        strong=_count(case.level == "strong" for case in cases),
        medium=_count(case.level == "medium" for case in cases),
        miss=_count(case.level == "miss" for case in cases),
        not_run=_count(case.state == "not_run" for case in cases),
        error=_count(case.state == "error" for case in cases),
        unavailable=_count(case.state == "unavailable" for case in cases),
        unwinnable=_count(case.state == "unwinnable" for case in cases),
        no_answer=len(unanswerable),
        metrics=metrics,
    )


def group(cases: Sequence[ScoredCase], names: Sequence[str]) -> tuple[Grouping, ...]:
    """Return the aggregates by scenario, fault type, language and tag; a case counts in each of its tags."""
    return tuple(
        Grouping(by=by, groups={key: aggregate(members, names) for key, members in sorted(_split(cases, of).items())})
        for by, of in GROUPS.items()
    )


def mean(values: Iterable[float | None]) -> Mean:
    """Return the mean of the values that exist, with their number; None where there are none."""
    known = [value for value in values if value is not None]
    return Mean(value=sum(known) / len(known) if known else None, n=len(known))


def _split(cases: Sequence[ScoredCase], of: Callable[[ScoredCase], Iterable[str]]) -> dict[str, list[ScoredCase]]:
    found: dict[str, list[ScoredCase]] = defaultdict(list)
    for case in cases:
        for key in of(case):
            found[key].append(case)
    return found


def _count(flags: Iterable[bool]) -> int:
    return sum(flags)
