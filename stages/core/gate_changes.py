"""The rules of the gate which compare with BASE, case by case and by counts."""

from collections.abc import Callable, Iterator, Mapping

from stages.core.aggregating import GROUPS
from stages.core.case_outcome import dropped, outcome
from stages.core.gate_pair import GatePair
from stages.records.gate import RuleResult, Verdict
from stages.records.params.gate import GateSection
from stages.records.scored import ScoredCase

MICRO = 1_000_000


def _strong_dropped(old: ScoredCase, new: ScoredCase) -> bool:
    return old.level == "strong" and dropped(old, new)


def _regressed(old: ScoredCase, new: ScoredCase) -> bool:
    return outcome(old, new) == "regression"


def _lost(old: ScoredCase, new: ScoredCase) -> bool:
    return outcome(old, new) in {"loss", "regression"}


COUNTED: Mapping[str, tuple[str, Callable[[ScoredCase, ScoredCase], bool]]] = {
    "max_strong_drops": ("strong cases that became weaker", _strong_dropped),
    "max_regressions": ("hits that became misses", _regressed),
    "max_losses": ("cases that lost level or rank", _lost),
}


def change_rules(pair: GatePair, rules: GateSection) -> Iterator[RuleResult]:
    """Yield one result a rule that is switched on."""
    yield from _comparable(pair)
    for rule, (words, counts) in COUNTED.items():
        yield from _counted(pair, rules, rule, words, counts)
    yield from _removed(pair, rules.max_removed)
    for by in rules.keep_last_strong:
        yield _last_strong(pair, by)
    for metric, limit in rules.max_drop.items():
        yield _drop(pair, rules, metric, limit)


def _comparable(pair: GatePair) -> Iterator[RuleResult]:
    count = len(pair.common)
    if not pair.old:
        message = "BASE has no golden cases: nothing to compare with, only floors and limits hold"
        yield RuleResult(rule="comparable", verdict="pass", value=0, limit=None, message=message)
    elif not count:
        message = "no case was scored on both sides, so nothing can be compared"
        yield RuleResult(rule="comparable", verdict="inconclusive", value=0, limit=1, message=message)


def _counted(
    pair: GatePair, rules: GateSection, rule: str, words: str, counts: Callable[[ScoredCase, ScoredCase], bool]
) -> Iterator[RuleResult]:
    limit: int | None = getattr(rules, rule)
    if limit is None:
        return
    found = [id_ for id_ in pair.common if counts(pair.old[id_], pair.new[id_])]
    counted = [id_ for id_ in found if not pair.excused(id_)]
    certain = [id_ for id_ in counted if _stays(pair.old[id_], pair.optimistic.get(id_, pair.new[id_]), counts)]
    verdict = _verdict(len(counted) <= limit, len(certain) <= limit, rules)
    message = f"{words}: {len(counted)}, at most {limit} allowed{_excused(len(found) - len(counted))}"
    if verdict == "inconclusive":
        message += f"; {len(counted) - len(certain)} would not, were unjudged candidates relevant: label them first"
    yield RuleResult(rule=rule, verdict=verdict, value=len(counted), limit=limit, message=message, cases=tuple(counted))


def _stays(old: ScoredCase, best: ScoredCase, counts: Callable[[ScoredCase, ScoredCase], bool]) -> bool:
    """Whether a case counts, or is weaker, even if its unjudged candidates were relevant."""
    return counts(old, best) or dropped(old, best)


def _verdict(met: bool, met_without_unjudged: bool, rules: GateSection) -> Verdict:
    if met:
        return "pass"
    return "inconclusive" if met_without_unjudged and rules.unjudged_drops == "inconclusive" else "fail"


def _excused(count: int) -> str:
    return f" ({count} accepted)" if count else ""


def _removed(pair: GatePair, limit: int | None) -> Iterator[RuleResult]:
    if limit is None:
        return
    gone = sorted(pair.old.keys() - pair.new.keys())
    counted = [id_ for id_ in gone if not pair.excused(id_)]
    message = (
        f"cases that left the golden set: {len(counted)}, at most {limit} allowed{_excused(len(gone) - len(counted))}"
    )
    verdict: Verdict = "pass" if len(counted) <= limit else "inconclusive"
    yield RuleResult(
        rule="max_removed", verdict=verdict, value=len(counted), limit=limit, message=message, cases=tuple(counted)
    )


def _last_strong(pair: GatePair, by: str) -> RuleResult:
    before, after = _strong_by(pair.old, by), _strong_by(pair.new, by)
    lost = {name: ids for name, ids in sorted(before.items()) if name not in after}
    counted = {name: ids for name, ids in lost.items() if not all(pair.excused(id_) for id_ in ids)}
    names = ", ".join(counted) or "none"
    message = f"{by} without a strong case, which BASE had: {names}{_excused(len(lost) - len(counted))}"
    return RuleResult(
        rule=f"keep_last_strong {by}",
        verdict="fail" if counted else "pass",
        value=len(counted),
        limit=0,
        message=message,
        cases=tuple(sorted(id_ for ids in counted.values() for id_ in ids)),
    )


def _strong_by(cases: Mapping[str, ScoredCase], by: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for case in cases.values():
        if case.level == "strong":
            for name in GROUPS[by](case):
                found.setdefault(name, []).append(case.case_id)
    return found


def _drop(pair: GatePair, rules: GateSection, metric: str, limit: float) -> RuleResult:
    """Sums in whole millionths: a fall of exactly the limit passes, whatever floats make of it.

    What an accepted case lost is not in the sum, or no known failure could be merged.
    """
    every = {id_: _micro(pair.old[id_], metric) - _micro(pair.new[id_], metric) for id_ in pair.common}
    falls = {id_: fall for id_, fall in every.items() if fall <= 0 or not pair.excused(id_)}
    best = {id_: pair.optimistic.get(id_, pair.new[id_]) for id_ in falls}
    excused = _excused(len(every) - len(falls))
    certain = sum(min(fall, _micro(pair.old[id_], metric) - _micro(best[id_], metric)) for id_, fall in falls.items())
    total, most = sum(falls.values()), round(limit * MICRO)
    fallen = tuple(id_ for id_, fall in falls.items() if fall > 0)
    return RuleResult(
        rule=f"max_drop {metric}",
        verdict=_verdict(total <= most, certain <= most, rules),
        value=total / MICRO,
        limit=limit,
        message=f"the sum over {len(falls)} common cases fell by {total / MICRO:g}, at most {limit:g} allowed{excused}"
        if total > 0
        else f"the sum over {len(falls)} common cases did not fall{excused}",
        cases=fallen if total > most else (),
    )


def _micro(case: ScoredCase, metric: str) -> int:
    return round((case.metrics.get(metric) or 0.0) * MICRO)
