"""What a golden file should say after edits, made on its data: what the edited text is held against."""

from collections.abc import Iterable
from typing import Any

from stages.records.golden_edit import GoldenEdit
from stages.storage.yaml_text import flow_text


def asked(data: Any, edits: Iterable[GoldenEdit]) -> Any:
    """Return a copy of a golden file's data after its edits; what an alias shares is changed where it is asked only."""
    changed = _unshared(data)
    cases = {case["id"]: case for case in changed["cases"]}
    distinct = {(edit.case_id, edit.location, edit.action, flow_text(edit.value)): edit for edit in edits}
    # From the back, so that a place that is still to be changed is where the edit says.
    for _, edit in sorted(distinct.items(), reverse=True):
        _apply(cases[edit.case_id], edit)
    return changed


def _apply(case: Any, edit: GoldenEdit) -> None:
    value, last = _unshared(edit.value), edit.location[-1]
    for part in edit.location[:-1]:
        case = case[part]
    if edit.action == "replace":
        case[last] = value
    elif edit.action == "insert":
        case.insert(int(last) + 1, value)
    elif edit.action == "append":
        case[last].append(value)
    else:
        del case[last]


def _unshared(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if isinstance(value, (list, tuple)) else value
