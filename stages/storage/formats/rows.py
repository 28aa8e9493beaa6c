"""The rows of a JSON list or of JSON Lines, each with its place."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.records.problem import InputError, Problem
from stages.storage.json_file import parse_json, read_json_lines
from stages.storage.json_place import child_lines
from stages.storage.text_file import read_text


@dataclass(frozen=True)
class Row:
    """One row of a file; `line` is 0 where the format does not tell it, and `number` counts from 1."""

    file: str
    number: int
    line: int
    value: Any

    def problem(self, case_id: str, message: str, remedy: str) -> Problem:
        """Return a problem at this row."""
        where = "" if self.line else f"row {self.number}: "
        return Problem(self.file, self.line, 0, case_id, f"{where}{message}", remedy)

    def fail(self, case_id: str, message: str, remedy: str) -> InputError:
        """Return the error which refuses this row."""
        return InputError([self.problem(case_id, message, remedy)])


def json_rows(path: Path, list_keys: tuple[str, ...] = ("cases",)) -> list[Row]:
    """Return the objects of a JSON list, of the list under one of `list_keys`, or of JSON Lines.

    Raises:
        InputError: no strict JSON, or no list of rows.
    """
    if path.suffix == ".jsonl":
        return [Row(str(path), number, line, value) for number, (line, value) in enumerate(read_json_lines(path), 1)]
    text = read_text(path)
    data = parse_json(text, str(path))
    inside = [key for key in list_keys if isinstance(data, dict) and isinstance(data.get(key), list)][:1]
    if inside:
        data = data[inside[0]]
    if not isinstance(data, list):
        keys = " or ".join(repr(key) for key in list_keys)
        what = f"the file holds neither a list nor an object with a list under {keys}"
        raise InputError([Problem(str(path), 0, 0, "", what, "Check that the format is the right one")])
    lines = telling_lines(child_lines(text, *inside))
    return [Row(str(path), index + 1, lines.get(index, 0), value) for index, value in enumerate(data)]


def telling_lines(lines: dict[str | int, int]) -> dict[str | int, int]:
    """Return lines that tell rows apart; none where rows share a line, and a row's number says more."""
    return lines if len(set(lines.values())) == len(lines) else {}


def as_object(row: Row) -> dict[str, Any]:
    """Return the row's value, which must be an object.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(row.value, dict):
        raise row.fail("", "the row is no object", "Write one case a row")
    return row.value
