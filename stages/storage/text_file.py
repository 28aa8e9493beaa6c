"""Text files: UTF-8 in and out, with the place of every fault."""

import os
import tempfile
from functools import cache
from pathlib import Path

from stages.records.problem import InputError, Problem

MAX_BYTES = 256 * 1024 * 1024


def read_text(path: Path, max_bytes: int = MAX_BYTES) -> str:
    """Return the text of a UTF-8 file, without BOM and with LF line ends.

    Raises:
        InputError: the file is missing, unreadable, larger than `max_bytes`, not UTF-8, or holds NUL.
    """
    return decode_text(_read_bytes(path, max_bytes), str(path))


def decode_text(raw: bytes, file: str) -> str:
    """Return the text of bytes as `read_text` does; `file` only says where they stand.

    Raises:
        InputError: the bytes are not UTF-8, or hold NUL.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _undecodable(file, raw, error) from None
    if "\0" in text:
        raise _fault(file, text, text.index("\0"), "the file holds a NUL byte", "Save it as plain UTF-8 text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with LF, whole or not at all; parent folders are made.

    Raises:
        InputError: the file cannot be written: it is a folder, the folder is not ours, the disk is full.
    """
    try:
        _write(path, text)
    except OSError as error:
        why = f"the file cannot be written: {error.strerror or error}"
        raise InputError([Problem(str(path), 0, 0, "", why, "Name another file, or make room for it")]) from None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:80]}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@cache
def _umask() -> int:
    """Ask once: asking sets it for a moment, which two threads must not do at the same time."""
    current = os.umask(0)
    os.umask(current)
    return current


def _read_bytes(path: Path, max_bytes: int) -> bytes:
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise InputError(
                [Problem(str(path), 0, 0, "", f"the file has {size} bytes, more than {max_bytes}", "Split it")]
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError([Problem(str(path), 0, 0, "", "there is no such file", "Check the name")]) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            [Problem(str(path), 0, 0, "", f"the file cannot be read: {reason}", "Check its kind and permissions")]
        ) from None


def _undecodable(file: str, raw: bytes, error: UnicodeDecodeError) -> InputError:
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return InputError([Problem(file, 1, 1, "", "the file is UTF-16", "Save it as UTF-8")])
    before = raw[: error.start].decode("utf-8-sig", errors="replace")
    what = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
    return _fault(file, before, len(before), what, "Save the file as UTF-8")


def _fault(file: str, text: str, offset: int, message: str, remedy: str) -> InputError:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return InputError([Problem(file, line, column, "", message, remedy)])
