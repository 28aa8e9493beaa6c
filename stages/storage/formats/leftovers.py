"""What an earlier export left in a folder, and an import would take for a part of the new one."""

from collections.abc import Iterable
from pathlib import Path

from stages.records.problem import InputError, Problem


def refuse_leftovers(paths: Iterable[Path]) -> None:
    """Refuse to export beside files which this export does not write; somebody's run is never removed.

    Raises:
        InputError: Every one that is there.
    """
    what = "the file is there already, this export does not write it, and it would be read as part of it"
    there = [Problem(str(path), 0, 0, "", what, "Remove it or name another folder") for path in paths if path.exists()]
    if there:
        raise InputError(there)
