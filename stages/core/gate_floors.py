"""The rules of the gate which need no BASE: something was scored, floors and limits, overall and by group."""

from collections.abc import Iterator, Mapping, Sequence

from stages.core.aggregating import aggregate, group
from stages.core.thresholds import check_thresholds, unknown_thresholds
from stages.records.gate import RuleResult
from stages.records.params.gate import GateParams
from stages.records.scored import Aggregate, ScoredCase
from stages.records.thresholds import ThresholdCheck

# Every metric that can be a floor is a share, but this one.
NO_SHARES = ("average_first_hit_rank",)


def floor_rules(cases: Sequence[ScoredCase], params: GateParams) -> Iterator[RuleResult]:
    """Yield whether anything was scored, then one result a threshold, then one a floor of a group."""
    names = metric_names(cases) or _floor_names(params)
    overall = aggregate(cases, names)
    yield _something_scored(overall)
    yield from (_result(check, check.rule) for check in check_thresholds(overall, params.thresholds))
    for grouping in group(cases, names):
        floors = params.gate.group_floors.get(grouping.by, {})  # type: ignore[call-overload]
        for name, members in grouping.groups.items():
            for check in check_thresholds(members, floors):
                yield _result(check, f"{grouping.by} {name}: {check.rule}")


def metric_names(cases: Sequence[ScoredCase]) -> list[str]:
    """Return the metrics that the cases have; a case that was not scored has none."""
    return list(dict.fromkeys(name for case in cases for name in case.metrics))


def faulty_floors(cases: Sequence[ScoredCase], params: GateParams) -> Iterator[tuple[str, str]]:
    """Yield the key and the fault of each floor or drop that names no metric, or that no result can ever meet."""
    overall = aggregate(cases, metric_names(cases))
    if not overall.scored:
        return
    for key, floors in _floors_by_key(params).items():
        for name in unknown_thresholds(overall, floors):
            yield f"{key}.{name}", "is no metric of the report"
        for name, limit in floors.items():
            if limit > 1 and name in overall.metrics and not name.startswith(NO_SHARES):
                yield f"{key}.{name}", f"is {limit:g}, which no share can reach"
    for name in params.gate.max_drop:
        if name not in overall.metrics:
            yield f"gate.max_drop.{name}", "is no metric of the report"


def _floors_by_key(params: GateParams) -> dict[str, Mapping[str, float]]:
    groups = {f"gate.group_floors.{by}": floors for by, floors in params.gate.group_floors.items()}
    return {"thresholds": params.thresholds, **groups}


def _floor_names(params: GateParams) -> list[str]:
    """The metrics of the floors, for the case that nothing was scored and no case can tell them."""
    floors = [name for found in _floors_by_key(params).values() for name in found]
    return [name for name in dict.fromkeys(floors) if not name.startswith("max_")]


def _something_scored(overall: Aggregate) -> RuleResult:
    scored = overall.scored + overall.no_answer
    message = f"{scored} of {overall.cases} cases were scored" if scored else "no case was scored, so nothing is known"
    return RuleResult(rule="scored", verdict="pass" if scored else "error", value=scored, limit=1, message=message)


def _result(check: ThresholdCheck, rule: str) -> RuleResult:
    return RuleResult(rule=rule, verdict=check.verdict, value=check.value, limit=check.limit, message=check.message)
