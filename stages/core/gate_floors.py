"""The rules of the gate which need no BASE: something was scored, floors and limits, overall and by group."""

from collections.abc import Iterator, Mapping, Sequence

from stages.core.aggregating import aggregate, group
from stages.core.thresholds import check_thresholds, unknown_thresholds
from stages.records.gate import RuleResult
from stages.records.params.gate import GateParams
from stages.records.scored import Aggregate, ScoredCase
from stages.records.thresholds import ThresholdCheck

# The lower these are the better, so that a floor, or a limit to their fall, would reward the opposite.
LOWER_IS_BETTER = ("average_first_hit_rank", "duplicate_rate", "false_positive_rate")


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
    for key, floors in {**_floors_by_key(params), "gate.max_drop": params.gate.max_drop}.items():
        for name, limit in floors.items():
            fault = _fault(overall, name, limit, shares=key != "gate.max_drop")
            if fault:
                yield f"{key}.{name}", fault


def _fault(overall: Aggregate, name: str, limit: float, *, shares: bool) -> str | None:
    if list(unknown_thresholds(overall, {name: limit})) or (not shares and name not in overall.metrics):
        return "is no metric of the report"
    if name.startswith(LOWER_IS_BETTER):
        return "is the better the lower it is, so this would reward the opposite"
    if shares and limit > 1 and name in overall.metrics:
        return f"is {limit:g}, which no share can reach"
    return None


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
