"""Bytes of a file, plain or gzip, in blocks of whole lines."""

import sys
import zlib
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from stages.records.problem import InputError, Problem
from stages.storage.trec.row_rules import BOM

if TYPE_CHECKING:
    from gzip import GzipFile

# Small enough that a block and all that is split from it stay in the processor's cache; a megabyte takes twice as long.
BLOCK_BYTES = 1 << 15
MAX_LINE_BYTES = 1 << 20
GZIP_MAGIC = b"\x1f\x8b"

# From which byte to which.
Span = tuple[int, int]
WHOLE: Span = (0, sys.maxsize)


def read_blocks(path: Path, span: Span = WHOLE) -> Iterator[bytes]:
    """Yield the file as blocks that end with a line feed, without BOM; a last line without one is given one.

    Memory stays bounded whatever the file holds. A `span` is of whole lines, and of a file that is not packed.

    Raises:
        InputError: The file is missing, unreadable, damaged, or has a line above `MAX_LINE_BYTES`.
    """
    try:
        with path.open("rb", buffering=0) as file:
            yield from _whole_lines(path, _plain(path, file), span)
    except FileNotFoundError:
        raise _refusal(path, 0, "there is no such file", "Check the name") from None
    except (EOFError, zlib.error) as error:
        raise _refusal(path, 0, f"the gzip data is damaged: {error}", "Compress the file again") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise _refusal(path, 0, f"the file cannot be read: {reason}", "Check its kind and permissions") from None


def _plain(path: Path, file: FileIO) -> "FileIO | GzipFile":
    magic = file.read(len(GZIP_MAGIC))
    if not file.seekable():
        raise _refusal(path, 0, "this is no regular file, and it may have to be read twice", "Save it to a file first")
    file.seek(0)
    if magic != GZIP_MAGIC:
        return file
    from gzip import GzipFile

    return GzipFile(fileobj=file)


def _whole_lines(path: Path, file: "FileIO | GzipFile", span: Span) -> Iterator[bytes]:
    start, end = span
    first = file.read(BLOCK_BYTES) if not start else b""
    before = len(BOM) if first.startswith(BOM) else file.seek(start)
    at, rest = file.seek(before), b""
    while block := file.read(min(BLOCK_BYTES, end - at)):
        at += len(block)
        cut = block.rfind(b"\n") + 1
        if len(rest) + (block.find(b"\n") if cut else len(block)) > MAX_LINE_BYTES:
            line = _count_lines(file, before) + 1
            raise _refusal(path, line, f"the line is longer than {MAX_LINE_BYTES} bytes", "Break it up, or cut it")
        if cut:
            whole = rest + block[:cut]
            before += len(whole)
            yield whole
            rest = block[cut:]
        else:
            rest += block
    if rest:
        yield rest + b"\n"


def _count_lines(file: "FileIO | GzipFile", size: int) -> int:
    """How many lines the first `size` bytes have; not counted on the way, since nearly nobody asks."""
    file.seek(0)
    lines = 0
    while size > 0 and (block := file.read(min(BLOCK_BYTES, size))):
        lines += block.count(b"\n")
        size -= len(block)
    return lines


def _refusal(path: Path, line: int, message: str, remedy: str) -> InputError:
    return InputError([Problem(str(path), line, 0, "", message, remedy)])
