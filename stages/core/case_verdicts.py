"""What the gate says of each single case: for test reports and for notes on the lines of golden files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from stages.core.not_run_reason import not_run_reason
from stages.core.side_comparison import Comparison
from stages.records.accepted import AcceptedCase
from stages.records.gate import RuleResult
from stages.records.review import Review, Transition
from stages.records.scored import ScoredCase

MAX_DROP = "max_drop "
Finding = Literal["failed", "not_run", "accepted", "weak", "passed"]


@dataclass(frozen=True)
class CaseVerdict:
    """One golden case of the new side: what is said of it, where it is written, and why it was not scored, if so."""

    case_id: str
    scenario: str
    file: str
    line: int
    finding: Finding
    message: str
    not_run: str = ""


def case_verdicts(review: Review, comparison: Comparison, ledger: Sequence[AcceptedCase]) -> Iterator[CaseVerdict]:
    """Yield one verdict a case of the new side, sorted by case id."""
    blamed = _blamed(review.gate.rules)
    changes = {case.case_id: case for case in review.transitions}
    accepted = {entry.case: entry.reason for entry in ledger}
    for id_, case in sorted(comparison.scored.items()):
        rules, change = blamed.get(id_, []), changes.get(id_)
        finding, message = _finding(case, change, accepted.get(id_))
        if rules:
            stayed = _stayed(case, comparison.spoken.get(id_), rules, accepted.get(id_))
            finding, message = "failed", f"{', '.join(rules)}: {_moved(change, stayed)}"
        file, line = comparison.new.places.get(id_, ("", 0))
        yield CaseVerdict(id_, case.scenario, file, line, finding, message, not_run_reason(case))


def _blamed(rules: Sequence[RuleResult]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for rule in rules:
        if rule.verdict != "pass":
            for id_ in rule.cases:
                found.setdefault(id_, []).append(rule.rule)
    return found


def _moved(change: Transition | None, stayed: str) -> str:
    """Return how a case changed and why; `stayed` is said in the place of a level and first hit that did not."""
    if change is None:
        return stayed
    why = "; ".join(cause.message for cause in change.causes)
    steady = change.outcome == "draw" and change.old == change.new
    return f"{stayed if steady else f'{change.old} → {change.new}'}{': ' if why else ''}{why}"


def _recall_step(change: Transition) -> str:
    before, now = change.old_recall, change.new_recall
    return change.new if before is None or now is None else f"{change.new}; recall {before:.3f} → {now:.3f}"


def _stayed(case: ScoredCase, old: ScoredCase | None, rules: Sequence[str], accepted: str | None) -> str:
    """Return what a rule may blame a case for whose level and first hit are as before: a metric, or its entry."""
    told = [case.level or case.state.replace("_", " ")]
    for metric in (rule.removeprefix(MAX_DROP) for rule in rules if rule.startswith(MAX_DROP)):
        before, now = old.metrics.get(metric) if old else None, case.metrics.get(metric)
        if before is not None and now is not None:
            told.append(f"{metric} {before:.3f} → {now:.3f}")
    return "; ".join([*told, *([f"accepted: {accepted}"] if accepted else [])])


def _finding(case: ScoredCase, change: Transition | None, accepted: str | None) -> tuple[Finding, str]:
    if case.state != "ok":
        return "not_run", not_run_reason(case)
    if case.level in {None, "strong"}:
        return "passed", ""
    if accepted:
        return "accepted", f"{case.level}, accepted: {accepted}"
    stayed = _recall_step(change) if change else str(case.level)
    checks = "" if change and change.causes else _checks(case)
    return "weak", f"{_moved(change, stayed)}{checks}"


def _checks(case: ScoredCase) -> str:
    return "".join(f": {check.message}" for check in case.failed_checks[:1])
