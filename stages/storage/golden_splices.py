"""Edits of a golden file as replacements of characters: comments, quotes, order and layout stay to the byte."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from stages.records.golden_edit import GoldenEdit
from stages.storage.exact_text import line_break, line_end
from stages.storage.yaml_text import flow_text

ANCHOR = re.compile(r"&[^\s,\[\]{}]+\s+")


@dataclass(frozen=True, order=True)
class Splice:
    """Characters `start` to `end` of the text become `new`."""

    start: int
    end: int
    new: str


def splices(text: str, root: Any, edits: Sequence[GoldenEdit]) -> set[Splice]:
    """Return the replacements for edits, whose places all mean the text as it is given; `root` is its YAML node.

    Raises:
        KeyError: a case or a place is not there.
    """
    removed = [(edit.case_id, edit.location) for edit in edits if edit.action == "remove"]
    return {_splice(text, _case(root, edit.case_id), edit, removed) for edit in edits}


def spliced(text: str, changes: Iterable[Splice]) -> str:
    """Return the text after the replacements."""
    for change in sorted(changes, reverse=True):
        text = text[: change.start] + change.new + text[change.end :]
    return text


def _splice(text: str, case: Any, edit: GoldenEdit, removed: Collection[tuple[str, Any]]) -> Splice:
    if edit.action == "append":
        sequence = _at(case, edit.location)
        return _insertion(text, sequence, len(sequence.value) - 1, flow_text(edit.value))
    if edit.action == "replace":
        node = _at(case, edit.location)
        return Splice(_after_anchor(text, node.start_mark.index), _end(node), flow_text(edit.value))
    *inside, last = edit.location
    sequence, index = _at(case, tuple(inside)), int(last)
    if edit.action == "insert":
        return _insertion(text, sequence, index, flow_text(edit.value))
    leading = all((edit.case_id, (*inside, before)) in removed for before in range(index))
    return _removal(text, sequence, index, leading=leading)


def _case(root: Any, case_id: str) -> Any:
    for case in _at(root, ("cases",)).value:
        if any(key.value == "id" and value.value == case_id for key, value in case.value):
            return case
    raise KeyError(case_id)


def _at(node: Any, location: tuple[str | int, ...]) -> Any:
    for part in location:
        node = node.value[part] if isinstance(part, int) else {key.value: value for key, value in node.value}[part]
    return node


def _after_anchor(text: str, start: int) -> int:
    """Where a node's own text begins: its anchor stays, since others may point there."""
    anchor = ANCHOR.match(text, start)
    return anchor.end() if anchor else start


def _end(node: Any) -> int:
    """Return where a node's own text ends: a block ends with its last scalar, not where the next token begins."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    # The value of a key may be an alias, and then its own text stands further up.
    return max(int(last[0].end_mark.index), _end(last[1])) if isinstance(last, tuple) else _end(last)


def _insertion(text: str, sequence: Any, index: int, item: str) -> Splice:
    end = _end(sequence.value[index])
    if sequence.flow_style:
        return Splice(end, end, f", {item}")
    at = line_end(text, end)[0]
    indent = _dash(text, sequence.value[index])
    return Splice(at, at, f"{line_break(text)}{indent}- {item}")


def _removal(text: str, sequence: Any, index: int, *, leading: bool) -> Splice:
    """Take an item out; `leading`: with all that stand before it, so that the comma to go is the one behind it."""
    items = sequence.value
    start, end = items[index].start_mark.index, _end(items[index])
    if not sequence.flow_style:
        return Splice(_line_start(text, start), line_end(text, end)[1], "")
    if not leading:
        return Splice(_end(items[index - 1]), end, "")
    return Splice(start, items[index + 1].start_mark.index if index + 1 < len(items) else end, "")


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _dash(text: str, item: Any) -> str:
    """Return the white space in front of the dash of a block item."""
    line_start = _line_start(text, item.start_mark.index)
    return text[line_start : text.find("-", line_start)]
