"""Files of the working tree, in the shape in which a git revision is read."""

from collections.abc import Sequence
from pathlib import Path

from stages.records.problem import InputError, Problem


def read_work_tree(root: Path, places: Sequence[str]) -> dict[str, bytes]:
    """Return path to content for the files at or below `places`, which are relative to `root`.

    Raises:
        InputError: a file cannot be read.
    """
    found: dict[str, bytes] = {}
    for place in places:
        path = root / place
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                found[file.relative_to(root).as_posix()] = _bytes(file)
    return dict(sorted(found.items()))


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        what = f"the file cannot be read: {error.strerror}"
        raise InputError([Problem(str(file), 0, 0, "", what, "Check its kind and permissions")]) from None
