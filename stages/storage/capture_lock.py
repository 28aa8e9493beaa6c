"""One writer of a folder of recordings at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zc.lockfile import LockError, LockFile

from stages.records.problem import InputError, Problem


@contextmanager
def capture_lock(folder: Path, path: str) -> Iterator[None]:
    """Keep every other capture away from the folder of a path, until the block or the process ends.

    The lock is the operating system's, so that none is left behind by a process that was killed: its file, beside the
    folder, may stay then and locks nothing.

    Raises:
        InputError: another process is capturing into this folder, or it is none.
    """
    place = folder.resolve()
    if place.exists() and not place.is_dir():
        raise InputError(
            [Problem(str(folder), 0, 0, "", "recordings go to a folder, and this is a file", "Name another")]
        )
    file = place.parent / f".{place.name}.capture.lock"
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = _taken(file, folder, path)
    while _holder(file) != str(os.getpid()):  # whoever had it before removed its file just now
        lock.close()
        lock = _taken(file, folder, path)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        lock.close()


def _taken(file: Path, folder: Path, path: str) -> LockFile:
    try:
        return LockFile(str(file))
    except LockError:
        holder = _holder(file)
        process = f" (process {holder})" if holder else ""
        what = f"another capture of {path} is running{process}, and one at a time may write here"
        raise InputError([Problem(str(folder), 0, 0, "", what, "Wait until it has ended, or end it")]) from None


def _holder(file: Path) -> str:
    """Return the number of the process which holds the lock, as it wrote it; empty where it has not done so yet."""
    try:
        return file.read_text("utf-8").strip()
    except FileNotFoundError:
        return ""
