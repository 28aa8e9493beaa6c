"""A run, query by query: as it streams by where its rows are grouped, and sorted into buckets where they are not."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from stages.storage.trec.blocks import read_blocks
from stages.storage.trec.columns import Tally, run_columns
from stages.storage.trec.faults import refuse_run
from stages.storage.trec.rows import RowError

STRIDE = 16
BLOCK_LINES = 500


class RowsNotGroupedError(Exception):
    """A query's rows do not stand together; `read_scattered_run` takes such a file."""


def read_grouped_run(path: Path, tally: Tally, *, by_rank: bool) -> Iterator[tuple[bytes, dict[bytes, float]]]:
    """Yield each query with its documents' sort keys (higher is better), holding one query at a time.

    Raises:
        InputError: Everything wrong with the file, once the first fault is met.
        RowsNotGroupedError: A query came back; what was yielded of it before is not the whole.
    """
    return _by_query(path, read_blocks(path), tally, by_rank=by_rank)


def read_scattered_run(path: Path, tally: Tally, *, by_rank: bool) -> Iterator[tuple[bytes, dict[bytes, float]]]:
    """As `read_grouped_run`, for rows in any order: keeps the lines by query, and splits them query by query.

    Raises:
        InputError: Everything wrong with the file.
    """
    return _by_query(path, _sorted_blocks(path, by_rank=by_rank), tally, by_rank=by_rank)


def _by_query(
    path: Path, blocks: Iterator[bytes], tally: Tally, *, by_rank: bool
) -> Iterator[tuple[bytes, dict[bytes, float]]]:
    seen: set[bytes] = set()
    query, documents, values = b"", list[bytes](), list[float]()
    for block in blocks:
        try:
            queries, found, keys = run_columns(block, tally, by_rank=by_rank)
        except RowError:
            raise refuse_run(path, by_rank=by_rank) from None
        for start, end in _stretches(queries):
            if queries[start] != query:
                if documents:
                    yield query, _keyed(path, documents, values, by_rank=by_rank)
                query, documents, values = queries[start], [], []
                if query in seen:
                    raise RowsNotGroupedError
                seen.add(query)
            documents += found[start:end]
            values += keys[start:end]
    if not documents:
        raise refuse_run(path, by_rank=by_rank)
    yield query, _keyed(path, documents, values, by_rank=by_rank)


def _sorted_blocks(path: Path, *, by_rank: bool) -> Iterator[bytes]:
    """The file's lines with each query's together."""
    lines = defaultdict[bytes, list[bytes]](list)
    for block in read_blocks(path):
        try:
            for line in block.removesuffix(b"\n").split(b"\n"):
                lines[line.split(None, 1)[0]].append(line)
        except IndexError:
            raise refuse_run(path, by_rank=by_rank) from None
    ready: list[bytes] = []
    for query in list(lines):
        ready += lines.pop(query)
        if len(ready) > BLOCK_LINES:
            yield b"\n".join([*ready, b""])
            ready = []
    if ready:
        yield b"\n".join([*ready, b""])


def _stretches(queries: list[bytes]) -> Iterator[tuple[int, int]]:
    """Begin and end of each stretch of equal queries."""
    start, size = 0, len(queries)
    while start < size:
        query, end = queries[start], start + 1
        while queries[end : end + STRIDE].count(query) == STRIDE:
            end += STRIDE
        while end < size and queries[end] == query:
            end += 1
        yield start, end
        start = end


def _keyed(path: Path, documents: list[bytes], values: list[float], *, by_rank: bool) -> dict[bytes, float]:
    keyed = dict(zip(documents, values, strict=False))
    if len(keyed) != len(documents) or (by_rank and len(set(values)) != len(values)):
        raise refuse_run(path, by_rank=by_rank)
    return keyed
