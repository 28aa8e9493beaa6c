"""What the Markdown of a comparison shows, in the order it shows it."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from stages.records.comparison import CasePair, Comparison

LEVELS = ("strong", "medium", "miss")
NEITHER_IS_BETTER = {"judged_at_k"}
LOWER_IS_BETTER = {"average_first_hit_rank", "duplicate_rate"}
MOST_DETAILS = 100
OUTCOME_ORDER = ("regression", "loss", "win", "draw", None)


def comparison_view(comparison: Comparison) -> dict[str, Any]:
    """Return the values of the template `comparison.md.j2`."""
    cases = [case for case in comparison.cases if case.left_out is None]
    changed = sorted(filter(_changed, cases), key=lambda case: (OUTCOME_ORDER.index(case.outcome), case.case_id))
    return {
        "comparison": comparison,
        "levels": [level for level in _labels(comparison) if level],
        "flow": {(one.left, one.right): len(one.cases) for one in comparison.transitions},
        "changed": changed[:MOST_DETAILS],
        "more": [case.case_id for case in changed[MOST_DETAILS:]],
        "fields": _fields(cases),
        "unchanged": [case for case in cases if not _changed(case)],
        "left_out": {
            group.reason: [case for case in comparison.cases if case.left_out == group.reason]
            for group in comparison.left_out
        },
        "better": better,
    }


def better(metric: str, change: float | None) -> str:
    """Return what a change of a metric means, in a word."""
    if change is None or change == 0 or metric in NEITHER_IS_BETTER:
        return ""
    return "better" if (change < 0) == (metric in LOWER_IS_BETTER) else "worse"


def _changed(case: CasePair) -> bool:
    return case.outcome not in {"draw", None} or any(pair.mark != "same" for pair in case.aligned)


def _fields(cases: Sequence[CasePair]) -> dict[str, tuple[int, int]]:
    """Return for each field how many pairs have it differently, and how many have it on one side only."""
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for difference in (one for case in cases for pair in case.aligned for one in pair.differences):
        found[difference.field][difference.left is None or difference.right is None] += 1
    return {field: (counts[0], counts[1]) for field, counts in sorted(found.items())}


def _labels(comparison: Comparison) -> list[str]:
    """Return the levels in their order, then whatever else cases went from or to."""
    seen = {name for one in comparison.transitions for name in (one.left, one.right)}
    return [*(level for level in LEVELS if level in seen), *sorted(seen - set(LEVELS))]
