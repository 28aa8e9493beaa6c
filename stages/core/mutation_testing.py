"""Which mutants the gate notices, by which rule, thanks to which case."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from stages.core.case_scoring import score_cases
from stages.core.gate_changes import change_rules
from stages.core.gate_floors import faulty_floors
from stages.core.gate_pair import GatePair
from stages.core.gate_rules import judge_gate
from stages.core.measure_plan import PlannedMeasure
from stages.core.mutants import Mutant
from stages.records.gate import RuleResult
from stages.records.params.gate import GateParams
from stages.records.problem import InputError, Problem
from stages.records.scored import ScoredCase
from stages.records.yardstick import Yardstick

# Rules over single cases or sums of them: the cases that a mutant leaves alone change nothing about their result.
LOCAL = ("max_strong_drops", "max_regressions", "max_losses", "max_drop")


@dataclass(frozen=True)
class Outcome:
    """One mutant: the rules that noticed it, and the cases which those rules name; none noticed, it survived."""

    mutant: Mutant
    rules: tuple[str, ...]
    killers: frozenset[str]


class Gate:
    """The gate over the undamaged cases; what it says already without damage is not counted as noticing any.

    Raises:
        InputError: when first asked, every floor that names no metric or cannot be met.
    """

    def __init__(self, old: Sequence[ScoredCase], params: GateParams) -> None:
        self._old = {case.case_id: case for case in old}
        self._params = params

    @cached_property
    def _already(self) -> set[str]:
        faults = list(faulty_floors(list(self._old.values()), self._params))
        if faults:
            remedy = "Name a metric of docs/retrieval-eval/metrics.json, and what it can reach"
            raise InputError([Problem("params.yaml", 0, 0, "", f"{key} {what}", remedy) for key, what in faults])
        return {rule.rule for rule in self._whole({}) if rule.verdict != "pass"}

    def notices(self, new: Mapping[str, ScoredCase]) -> list[RuleResult]:
        """Return the rules that stop a change to these cases."""
        touched = GatePair({id_: self._old[id_] for id_ in new}, new)
        local = [rule for rule in change_rules(touched, self._params.gate) if rule.rule.startswith(LOCAL)]
        return self._stopping(local) or self._stopping(self._whole(new))

    def _whole(self, new: Mapping[str, ScoredCase]) -> Iterable[RuleResult]:
        return judge_gate(GatePair(self._old, {**self._old, **new}), self._params).rules

    def _stopping(self, rules: Iterable[RuleResult]) -> list[RuleResult]:
        return [rule for rule in rules if rule.verdict != "pass" and rule.rule not in self._already]


def try_mutants(
    found: Iterable[Mutant], gate: Gate, plan: Sequence[PlannedMeasure], yardstick: Yardstick
) -> list[Outcome]:
    """Return the outcome of each mutant, in order."""
    return [_tried(mutant, gate, plan, yardstick) for mutant in found]


def _tried(mutant: Mutant, gate: Gate, plan: Sequence[PlannedMeasure], yardstick: Yardstick) -> Outcome:
    cases = [case for case in mutant.scope.cases if case.id in mutant.rankings]
    scored = score_cases(cases, mutant.rankings, plan, yardstick)
    stopped = gate.notices({case.case_id: case for case in scored})
    touched = set(mutant.rankings)
    killers = frozenset(case for rule in stopped for case in rule.cases if case in touched)
    return Outcome(mutant, tuple(rule.rule for rule in stopped), killers)
