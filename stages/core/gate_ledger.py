"""The ledger of known failures against what the cases do now."""

from collections.abc import Iterator, Sequence

from stages.core.gate_pair import GatePair
from stages.records.gate import RuleResult


def ledger_rules(pair: GatePair) -> Iterator[RuleResult]:
    """Yield what is expired, what passes although it was accepted as failing, and what is about no case.

    Nothing is yielded for an empty ledger.
    """
    if not pair.ledger:
        return
    failing = [entry for entry in pair.ledger if entry.level != "removed" and entry.case in pair.new]
    strong = sorted(entry.case for entry in failing if pair.new[entry.case].level == "strong")
    expired = sorted(entry.case for entry in failing if entry.until < pair.today and entry.case not in strong)
    yield _rule(
        "accepted_expired", expired, "accepted failures whose date has passed (repair them, or accept them anew)"
    )
    yield _rule("accepted_passes", strong, "accepted failures that are strong now (take them out of the ledger)")
    unknown = sorted({entry.case for entry in pair.ledger} - pair.new.keys() - pair.old.keys())
    if unknown:
        message = f"accepted cases that are in no golden file (take them out of the ledger): {len(unknown)}"
        yield RuleResult(
            rule="accepted_unknown", verdict="pass", value=len(unknown), limit=None, message=message, cases=(*unknown,)
        )


def _rule(rule: str, found: Sequence[str], words: str) -> RuleResult:
    return RuleResult(
        rule=rule,
        verdict="fail" if found else "pass",
        value=len(found),
        limit=0,
        message=f"{words}: {len(found)}",
        cases=tuple(found),
    )
