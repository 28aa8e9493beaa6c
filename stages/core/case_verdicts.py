"""What the gate says of each single case: for test reports and for notes on the lines of golden files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from stages.core.side_comparison import Comparison
from stages.records.accepted import AcceptedCase
from stages.records.gate import RuleResult
from stages.records.review import Review, Transition
from stages.records.scored import ScoredCase

Finding = Literal["failed", "not_run", "accepted", "weak", "passed"]


@dataclass(frozen=True)
class CaseVerdict:
    """One golden case of the new side: what is said of it, where it is written, and why."""

    case_id: str
    scenario: str
    file: str
    line: int
    finding: Finding
    message: str


def case_verdicts(review: Review, comparison: Comparison, ledger: Sequence[AcceptedCase]) -> Iterator[CaseVerdict]:
    """Yield one verdict a case of the new side, sorted by case id."""
    blamed = _blamed(review.gate.rules)
    changes = {case.case_id: case for case in review.transitions}
    accepted = {entry.case: entry.reason for entry in ledger}
    for id_, case in sorted(comparison.scored.items()):
        finding, message = _finding(case, blamed.get(id_), changes.get(id_), accepted.get(id_))
        file, line = comparison.new.places.get(id_, ("", 0))
        yield CaseVerdict(id_, case.scenario, file, line, finding, message)


def _blamed(rules: Sequence[RuleResult]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for rule in rules:
        if rule.verdict != "pass":
            for id_ in rule.cases:
                found.setdefault(id_, []).append(rule.rule)
    return {id_: ", ".join(names) for id_, names in found.items()}


def _finding(
    case: ScoredCase, rules: str | None, change: Transition | None, accepted: str | None
) -> tuple[Finding, str]:
    why = "; ".join(cause.message for cause in change.causes) if change else ""
    moved = f"{change.old} → {change.new}" if change else ""
    if rules:
        return "failed", f"{rules}: {moved or 'in the ledger'}{': ' if why else ''}{why}"
    if case.state != "ok":
        return "not_run", f"{case.state.replace('_', ' ')}{': ' if case.reason else ''}{case.reason or ''}"
    if case.level in {None, "strong"}:
        return "passed", moved
    if accepted:
        return "accepted", f"{case.level}, accepted: {accepted}"
    return "weak", f"{moved or case.level}{': ' if why else ''}{why or _checks(case)}"


def _checks(case: ScoredCase) -> str:
    return "".join(f": {check.message}" for check in case.failed_checks[:1])
