"""Two halves of a large run, parted where one query ends and the next begins."""

from pathlib import Path

from stages.storage.trec.blocks import GZIP_MAGIC, Span

# Below this a second process costs more than it saves.
LARGE_BYTES = 8_000_000
LOOK_AHEAD_BYTES = 1 << 20


def halves(path: Path) -> tuple[Span, Span] | None:
    """Where to part a file whose rows are grouped by query; None if it is small, packed, or has no such place."""
    try:
        size = path.stat().st_size
        if size < LARGE_BYTES:
            return None
        with path.open("rb", buffering=0) as file:
            packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            file.seek(size // 2)
            ahead = file.read(LOOK_AHEAD_BYTES)
    except OSError:
        # Reading it for good tells what is wrong.
        return None
    offset = None if packed else _next_query(ahead)
    return None if offset is None else ((0, size // 2 + offset), (size // 2 + offset, size))


def _next_query(ahead: bytes) -> int | None:
    """Where the first query begins that is not the one in the middle of which `ahead` begins."""
    at = ahead.find(b"\n") + 1
    before = b""
    while at:
        end = ahead.find(b"\n", at) + 1
        query = ahead[at:end].split(None, 1)[:1]
        if not end or not query:
            return None
        if before and query[0] != before:
            return at
        before, at = query[0], end
    return None
