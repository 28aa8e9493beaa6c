"""All rules of the gate, and the verdict over them."""

from collections.abc import Iterable

from stages.core.gate_changes import change_rules
from stages.core.gate_floors import floor_rules
from stages.core.gate_ledger import ledger_rules
from stages.core.gate_pair import GatePair
from stages.core.resolution import resolution_sentence
from stages.records.gate import GateResult, RuleResult, Verdict
from stages.records.params.gate import GateParams

ORDER: tuple[Verdict, ...] = ("error", "fail", "inconclusive", "pass")


def judge_gate(pair: GatePair, params: GateParams) -> GateResult:
    """Hold the new cases of one path against the old ones, the floors, the limits and the ledger."""
    rules = (*floor_rules(list(pair.new.values()), params), *change_rules(pair, params.gate), *ledger_rules(pair))
    verdict = gate_verdict(rules)
    codes = {"pass": 0, "fail": 1, "error": 2, "inconclusive": params.gate.inconclusive_exit_code}
    resolution = resolution_sentence(len(pair.common))
    return GateResult(verdict=verdict, exit_code=codes[verdict], resolution=resolution, rules=rules)


def gate_verdict(rules: Iterable[RuleResult]) -> Verdict:
    """Return the worst verdict: nothing scored, then a failure, then what cannot be decided."""
    found = {rule.verdict for rule in rules}
    return next((verdict for verdict in ORDER if verdict in found), "error")
