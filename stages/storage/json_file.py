"""The one JSON writer, and its strict reader."""

import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from stages.records.problem import InputError, Problem
from stages.storage.json_place import constant, line_and_column, lone_surrogate, repeated_key
from stages.storage.text_file import read_text, write_text

DIGITS = 6


def dump_json(value: Any) -> str:
    """Return `value` (plain data or records) as indented JSON with a final newline.

    Floats are rounded to 6 decimals; NaN and infinity are refused, since "nothing to average" is `null`.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def dump_json_line(value: Any) -> str:
    """Return `value` as one line of JSON with a final newline, rounded as `dump_json` does."""
    return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False) + "\n"


def write_json(path: Path, value: Any) -> None:
    """Write `dump_json(value)`, atomically."""
    write_text(path, dump_json(value))


def write_json_lines(path: Path, values: Iterable[Any]) -> None:
    """Write one line of JSON a value, atomically."""
    write_text(path, "".join(dump_json_line(value) for value in values))


def read_json(path: Path) -> Any:
    """Read a strict JSON file.

    Raises:
        InputError: no JSON, a duplicate key, NaN or infinity, or a lone surrogate.
    """
    return parse_json(read_text(path), str(path))


def read_json_lines(path: Path) -> list[tuple[int, Any]]:
    """Read JSON Lines as (line number, value); blank lines are passed over.

    Raises:
        InputError: every line that is no strict JSON.
    """
    return parse_json_lines(read_text(path), str(path))


def parse_json_lines(text: str, file: str) -> list[tuple[int, Any]]:
    """Parse JSON Lines as `read_json_lines` does; `file` only says where the text stands.

    Raises:
        InputError: as `read_json_lines`.
    """
    found: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append((number, parse_json(line, file, first_line=number)))
            except InputError as error:
                problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return found


def parse_json(text: str, file: str, first_line: int = 1) -> Any:
    """Parse strict JSON; `file` and `first_line` only say where the text stands.

    Raises:
        InputError: as `read_json`.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
        if "\\u" in text:
            _refuse_surrogates(value)
    except json.JSONDecodeError as error:
        line, column, what = first_line + error.lineno - 1, error.colno, f"this is no JSON: {error.msg}"
        raise InputError([Problem(file, line, column, "", what, "Repair or rewrite the file")]) from None
    except _StrictnessError as error:
        line, column = line_and_column(text, error.find(text))
        place = (file, first_line + line - 1, column)
        raise InputError([Problem(*place, "", str(error), "Repair or rewrite the file")]) from None
    except RecursionError:
        raise InputError([Problem(file, first_line, 0, "", "the nesting is too deep", "Flatten it")]) from None
    return value


class _StrictnessError(Exception):
    """What strict JSON may not hold; `find` returns its offset in the text."""

    def __init__(self, message: str, find: Callable[[str], int]) -> None:
        super().__init__(message)
        self.find = find


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _StrictnessError(f"the key {twice!r} stands twice in one object", repeated_key)
    return found


def _refuse_constant(name: str) -> Any:
    raise _StrictnessError(f"{name} is no JSON number", constant)


def _refuse_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        code = ord(str(error.object)[error.start])
        raise _StrictnessError(f"the text holds a lone surrogate (U+{code:04X})", lone_surrogate) from None


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return _rounded(value)
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(mode="json"))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _rounded(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written as JSON")
    return round(value, DIGITS) + 0.0
