"""Where in a JSON text something stands: looked up only once something is wrong with it."""

import json
import re
from collections.abc import Iterator

Location = tuple[str | int, ...]

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
CONSTANTS = ("NaN", "Infinity", "-Infinity")
# A pair, a half alone, or any other escape.
ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\.")


def json_place(text: str, location: Location) -> tuple[int, int]:
    """Return line and column (from 1) of a member's key or an item, or of its nearest ancestor that is there.

    `text` must be JSON.
    """
    known = dict(reversed(list(_places(text))))
    while location not in known and location:
        location = location[:-1]
    return line_and_column(text, known.get(location, 0))


def repeated_key(text: str) -> int:
    """Return the offset of the first key that stood in its object already."""
    seen: set[Location] = set()
    for location, offset in _places(text):
        if location in seen:
            return offset
        seen.add(location)
    return 0


def constant(text: str) -> int:
    """Return the offset of the first number that is none for JSON."""
    return next((token.start() for token in TOKEN.finditer(text) if token[0] in CONSTANTS), 0)


def lone_surrogate(text: str) -> int:
    """Return the offset of the first escaped half of a character whose other half does not follow."""
    return next((found.start() for found in ESCAPE.finditer(text) if found[1]), 0)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column (from 1) of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _places(text: str) -> Iterator[tuple[Location, int]]:
    """Yield location and offset of every key and item, in the order of the text."""
    path: list[str | int] = []
    awaits_key = False
    for token in TOKEN.finditer(text):
        word = token[0]
        if word in "}]":
            path.pop()
            awaits_key = False
        elif word == ",":
            awaits_key = isinstance(path[-1], str)
            path[-1] = "" if awaits_key else int(path[-1]) + 1
        elif awaits_key:
            path[-1] = json.loads(word)
            awaits_key = False
            yield tuple(path), token.start()
        elif word != ":":
            if not path or isinstance(path[-1], int):
                yield tuple(path), token.start()
            if word in "{[":
                path.append("" if word == "{" else 0)
                awaits_key = word == "{"
