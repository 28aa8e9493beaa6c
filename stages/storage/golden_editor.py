"""Changes to golden files which touch nothing else: comments, quotes, order and layout stay to the byte."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from stages.records.golden_edit import GoldenEdit
from stages.records.problem import InputError, Problem
from stages.storage.yaml_text import flow_text


@dataclass(frozen=True, order=True)
class _Splice:
    """Characters `start` to `end` of the text become `new`."""

    start: int
    end: int
    new: str


def edit_golden(text: str, edits: Sequence[GoldenEdit]) -> str:
    """Return the text of a golden file after its edits, whose places all mean the text as it is given.

    Raises:
        KeyError: a case or a place is not there.
        InputError: a place stands behind an alias, so that changing it would change other cases.
    """
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    for splice in sorted({_splice(text, root, edit) for edit in edits}, reverse=True):
        text = text[: splice.start] + splice.new + text[splice.end :]
    return text


def _splice(text: str, root: Any, edit: GoldenEdit) -> _Splice:
    case = _case(root, edit.case_id)
    splice = _change(text, case, edit)
    if not case.start_mark.index <= splice.start <= case.end_mark.index:
        what = "the place to change stands behind an alias, and others use it too"
        line = case.start_mark.line + 1
        raise InputError([Problem(edit.file, line, 0, edit.case_id, what, "Write it out, or change it by hand")])
    return splice


def _change(text: str, case: Any, edit: GoldenEdit) -> _Splice:
    if edit.action == "append":
        sequence = _at(case, edit.location)
        return _insertion(text, sequence, len(sequence.value) - 1, flow_text(edit.value))
    if edit.action == "replace":
        node = _at(case, edit.location)
        return _Splice(node.start_mark.index, _end(node), flow_text(edit.value))
    sequence, index = _at(case, edit.location[:-1]), int(edit.location[-1])
    if edit.action == "insert":
        return _insertion(text, sequence, index, flow_text(edit.value))
    return _removal(text, sequence, index)


def _case(root: Any, case_id: str) -> Any:
    for case in _at(root, ("cases",)).value:
        if any(key.value == "id" and value.value == case_id for key, value in case.value):
            return case
    raise KeyError(case_id)


def _at(node: Any, location: tuple[str | int, ...]) -> Any:
    for part in location:
        node = node.value[part] if isinstance(part, int) else {key.value: value for key, value in node.value}[part]
    return node


def _end(node: Any) -> int:
    """Return where a node's own text ends: a block ends with its last scalar, not where the next token begins."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def _insertion(text: str, sequence: Any, index: int, item: str) -> _Splice:
    end = _end(sequence.value[index])
    if sequence.flow_style:
        return _Splice(end, end, f", {item}")
    line_end = _line_end(text, end)
    indent = _dash(text, sequence.value[index])
    return _Splice(line_end, line_end, f"\n{indent}- {item}")


def _removal(text: str, sequence: Any, index: int) -> _Splice:
    items = sequence.value
    start, end = items[index].start_mark.index, _end(items[index])
    if not sequence.flow_style:
        line_start = text.rfind("\n", 0, start) + 1
        return _Splice(line_start, min(_line_end(text, end) + 1, len(text)), "")
    if index + 1 < len(items):
        return _Splice(start, items[index + 1].start_mark.index, "")
    return _Splice(_end(items[index - 1]) if index else start, end, "")


def _line_end(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found


def _dash(text: str, item: Any) -> str:
    """Return the white space in front of the dash of a block item."""
    line_start = text.rfind("\n", 0, item.start_mark.index) + 1
    return text[line_start : text.index("-", line_start)]
