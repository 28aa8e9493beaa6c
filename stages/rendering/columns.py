"""Columns for a terminal, where Chinese, Japanese and Korean characters are two cells wide."""

import unicodedata
from collections.abc import Sequence

GAP = "  "


def side_by_side(rows: Sequence[Sequence[str]], widest: int) -> str:
    """Return rows of cells as aligned lines; a cell wider than `widest` is cut."""
    cut = [[clip(cell, widest) for cell in row] for row in rows]
    widths = [max(map(cells, column)) for column in zip(*cut, strict=True)]
    return "\n".join(
        GAP.join(cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cut
    )


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    return sum(_cells(character) for character in text)


def clip(text: str, width: int) -> str:
    """Return `text`, cut to `width` cells with an ellipsis where it is longer."""
    if cells(text) <= width:
        return text
    kept, room = "", width - 1
    for character in text:
        room -= _cells(character)
        if room < 0:
            break
        kept += character
    return f"{kept}…"


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
