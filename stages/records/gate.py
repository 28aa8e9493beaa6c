"""What the gate says: one result a rule, and the verdict over all of them."""

from typing import Literal

from stages.records.record import Record

Verdict = Literal["pass", "fail", "inconclusive", "error"]


class RuleResult(Record):
    """One rule with the value it found, the limit it held it against, and the cases that made the difference."""

    rule: str
    verdict: Verdict
    value: float | None
    limit: float | None
    message: str
    cases: tuple[str, ...] = ()


class GateResult(Record):
    """The verdict, the exit code it stands for, what the set can tell apart at all, and every rule."""

    verdict: Verdict
    exit_code: int
    resolution: str
    rules: tuple[RuleResult, ...]
