"""Two columns of text for a terminal, aligned by the width of the characters."""

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

CUT = "…"


def side_by_side(left: Sequence[str], right: Sequence[str], width: int) -> str:
    """Return the lines of both columns; the left one is cut at `width` cells, Chinese characters taking two."""
    return "\n".join(f"{_fit(one, width)} | {other}".rstrip() for one, other in zip_longest(left, right, fillvalue=""))


def _fit(text: str, width: int) -> str:
    cells = [_cells(character) for character in text]
    if sum(cells) <= width:
        return text + " " * (width - sum(cells))
    used = 0
    for index, size in enumerate(cells):
        if used + size > width - 1:
            return text[:index] + CUT + " " * (width - 1 - used)
        used += size
    return text


def _cells(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
