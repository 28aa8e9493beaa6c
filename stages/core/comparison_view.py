"""What the Markdown of a comparison shows, in the order it shows it."""

from typing import Any

from stages.records.comparison import CasePair, Comparison

LEVELS = ("strong", "medium", "miss")
LOWER_IS_BETTER = {"average_first_hit_rank", "duplicate_rate"}
OUTCOME_ORDER = ("regression", "loss", "win", "draw", None)


def comparison_view(comparison: Comparison) -> dict[str, Any]:
    """Return the values of the template `comparison.md.j2`."""
    cases = [case for case in comparison.cases if case.left_out is None]
    changed = [case for case in cases if _changed(case)]
    return {
        "comparison": comparison,
        "levels": [level for level in _labels(comparison) if level],
        "flow": {(one.left, one.right): len(one.cases) for one in comparison.transitions},
        "changed": sorted(changed, key=lambda case: (OUTCOME_ORDER.index(case.outcome), case.case_id)),
        "unchanged": [case for case in cases if not _changed(case)],
        "left_out": [case for case in comparison.cases if case.left_out],
        "better": better,
    }


def better(metric: str, change: float | None) -> str:
    """Return what a change of a metric means, in a word."""
    if change is None or change == 0:
        return ""
    return "better" if (change < 0) == (metric in LOWER_IS_BETTER) else "worse"


def _changed(case: CasePair) -> bool:
    return case.outcome not in {"draw", None} or any(pair.mark != "same" or pair.differences for pair in case.aligned)


def _labels(comparison: Comparison) -> list[str]:
    """Return the levels in their order, then whatever else cases went from or to."""
    seen = {name for one in comparison.transitions for name in (one.left, one.right)}
    return [*(level for level in LEVELS if level in seen), *sorted(seen - set(LEVELS))]
