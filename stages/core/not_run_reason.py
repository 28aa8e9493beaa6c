"""Why a case was not scored, in a sentence."""

from stages.records.scored import ScoredCase


def not_run_reason(case: ScoredCase) -> str:
    """Return what stands in the place of a level, and why; empty for a case that was scored."""
    if case.state == "ok":
        return ""
    return f"{case.state.replace('_', ' ')}{': ' if case.reason else ''}{case.reason or ''}"
