"""Where in a JSON text something stands, for those who tell a person the place."""

import json
import re
from collections.abc import Iterator

Location = tuple[str | int, ...]

GAP = re.compile(r"[\s,:]*")
DECODER = json.JSONDecoder()
# A text, which may hold the same letters, or a number that is none for JSON.
CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')
# A pair, a half alone, or any other escape.
ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\.")


def child_lines(text: str, *inside: str) -> dict[str | int, int]:
    """Return the line of each item or value of a list or an object, by index or by key.

    Args:
        text: JSON, which was read already.
        inside: The keys that lead to the list or the object; none for the whole.
    """
    start = 0
    for name in inside:
        start = next(at for key, _, at in reversed(list(_children(text, start))) if key == name)
    lines: dict[str | int, int] = {}
    line, before = 1, 0
    for key, _, offset in _children(text, start):
        line += text.count("\n", before, offset)
        lines[key], before = line, offset
    return lines


def json_place(text: str, location: Location) -> tuple[int, int]:
    """Return line and column (from 1) of a member's key or an item, or of its nearest ancestor that is there.

    `text` must be JSON.
    """
    start = value = _skip(text, 0)
    for step in location:
        found = next((child for child in _children(text, value) if child[0] == step), None)
        if found is None:
            break
        _, start, value = found
    return line_and_column(text, start)


def repeated_key(text: str) -> int:
    """Return the offset of the first key that stood in its object already."""
    repeated, starts = [], [0]
    while starts:
        seen: set[str | int] = set()
        for key, offset, value in _children(text, starts.pop()):
            if key in seen:
                repeated.append(offset)
            seen.add(key)
            starts.append(value)
    return min(repeated, default=0)


def constant(text: str) -> int:
    """Return the offset of the first number that is none for JSON."""
    return next((found.start() for found in CONSTANT.finditer(text) if found[1]), 0)


def lone_surrogate(text: str) -> int:
    """Return the offset of the first escaped half of a character whose other half does not follow."""
    return next((found.start() for found in ESCAPE.finditer(text) if found[1]), 0)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column (from 1) of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _children(text: str, start: int) -> Iterator[tuple[str | int, int, int]]:
    """Yield the key or index of each member of a list or an object, where it begins, and where its value does."""
    at = _skip(text, start)
    if text[at] not in "{[":
        return
    is_object, at, index = text[at] == "{", at + 1, 0
    while text[at := _skip(text, at)] not in "]}":
        key: str | int
        begin, key, index = at, index, index + 1
        if is_object:
            key, at = DECODER.raw_decode(text, at)
        value = _skip(text, at)
        yield key, begin, value
        _, at = DECODER.raw_decode(text, value)


def _skip(text: str, at: int) -> int:
    gap = GAP.match(text, at)
    return gap.end() if gap else at
