"""Lists in one cell of a table: items parted by bars, the steps of a path by ` > `."""

import re
from collections.abc import Iterable

LIST, STEP = "|", " > "


def split(cell: str) -> list[str]:
    """Return the items of a cell."""
    return [_unescaped(part) for part in _parts(cell)]


def split_paths(cell: str) -> list[list[str]]:
    """Return the paths of a cell, each as its steps."""
    return [list(map(_unescaped, path.split(STEP))) for path in _parts(cell)]


def join(items: Iterable[str]) -> str:
    """Return items as a cell."""
    return LIST.join(item.replace("\\", r"\\").replace(LIST, rf"\{LIST}") for item in items)


def join_paths(paths: Iterable[Iterable[str]]) -> str:
    """Return paths as a cell."""
    return LIST.join(STEP.join(join([step]).replace(STEP, r" \> ") for step in path) for path in paths)


def _parts(cell: str) -> list[str]:
    r"""Part a cell at its bars; a bar that belongs to an item is written `\|`."""
    return [part.strip() for part in re.findall(r"(?:\\.|[^|\\]|\\$)+", cell, re.DOTALL) if part.strip()]


def _unescaped(text: str) -> str:
    return re.sub(r"\\([\\|>])", r"\1", text)
