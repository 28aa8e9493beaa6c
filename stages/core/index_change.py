"""Did the index behind the live path change since it was last captured?"""

from typing import Any

from stages.records.acceptance import IndexChange
from stages.records.recording import PathState

REINDEX = "vectors must be made anew before live answers can show another embedding text"


def index_change(state: PathState) -> IndexChange:
    """Compare the index metadata of the last two captures, as far as the mapping's `index` gives any.

    The warning is advice and no verdict: an index that did not change is right when nothing was to change.
    """
    previous = state.provenance.get("previous") or {}
    before, now = previous.get("index") or [], state.provenance.get("index") or []
    captured_at = previous.get("captured_at")
    warning = None if state.status == "unavailable" else _warning(before, now, captured_at)
    return IndexChange(before=before, now=now, before_captured_at=captured_at, warning=warning)


def _warning(old: list[Any], new: list[Any], captured_at: str | None) -> str | None:
    if not new:
        return f"the answers carry no index metadata (answer.index), so a reindex cannot be seen; {REINDEX}"
    if len(new) > 1:
        return f"the answers come from {len(new)} different states of the index: it changed during the capture"
    if old == new:
        return f"the index metadata has not changed since the capture of {captured_at}; {REINDEX}"
    return None
