"""Where the parts of a JSON text begin, for those who tell a person the line."""

import json
import re

GAP = re.compile(r"[\s,:]*")
DECODER = json.JSONDecoder()


def child_lines(text: str, *inside: str) -> dict[str | int, int]:
    """Return the line of each item or value of a list or an object, by index or by key.

    Args:
        text: JSON, which was read already.
        inside: The keys that lead to the list or the object; none for the whole.
    """
    start = 0
    for name in inside:
        start = _children(text, start)[name]
    lines: dict[str | int, int] = {}
    line, before = 1, 0
    for key, offset in _children(text, start).items():
        line += text.count("\n", before, offset)
        lines[key], before = line, offset
    return lines


def _children(text: str, start: int) -> dict[str | int, int]:
    at = _skip(text, start)
    is_object, at = text[at] == "{", at + 1
    found: dict[str | int, int] = {}
    while text[at := _skip(text, at)] not in "]}":
        key = len(found)
        if is_object:
            key, at = DECODER.raw_decode(text, at)
        found[key] = at = _skip(text, at)
        _, at = DECODER.raw_decode(text, at)
    return found


def _skip(text: str, at: int) -> int:
    gap = GAP.match(text, at)
    return gap.end() if gap else at
