"""A run, query by query: as it streams by where its rows are grouped, and sorted into buckets where they are not."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from stages.records.problem import InputError
from stages.storage.trec.blocks import WHOLE, Span, read_blocks
from stages.storage.trec.columns import Tally, run_columns, stretches
from stages.storage.trec.row_rules import RowError

# A query, and the sort key of each of its documents: higher is better.
Ranked = tuple[bytes, dict[bytes, float]]

BLOCK_LINES = 500


class RowsNotGroupedError(Exception):
    """A query's rows do not stand together; `gather_lines` takes such a file."""


def read_grouped_run(path: Path, tally: Tally, *, by_rank: bool, span: Span = WHOLE) -> Iterator[Ranked]:
    """Yield each query with its documents, holding one query at a time; no document stands twice.

    Raises:
        InputError: Everything wrong with the file, once the first fault is met.
        RowsNotGroupedError: A query came back; what was yielded of it before is not the whole.
    """
    yield from _by_query(path, read_blocks(path, span), tally, by_rank=by_rank)
    if not tally.rows and span == WHOLE:
        raise _refusal(path, by_rank=by_rank)


def gather_lines(path: Path, *, by_rank: bool, half: int | None = None) -> dict[bytes, list[bytes]]:
    """The lines of each query of a file whose rows stand in any order.

    Args:
        path: The file.
        by_rank: Whether the rank column gives the order.
        half: None for all queries; 0 for some half of them, the query of the first line among them; 1 for the others.
            Both halves must be gathered by one process and its copies.

    Raises:
        InputError: Everything wrong with the file.
    """
    lines = defaultdict[bytes, list[bytes]](list)
    parity: int | None = None
    for block in read_blocks(path):
        rows = _lines(block)
        try:
            if half is not None and parity is None:
                parity = (hash(rows[0].split(None, 1)[0]) + half) & 1
            for row in rows:
                query = row.split(None, 1)[0]
                if parity is None or hash(query) & 1 == parity:
                    lines[query].append(row)
        except IndexError:
            raise _refusal(path, by_rank=by_rank) from None
    return lines


def read_gathered_run(path: Path, gathered: Iterable[list[bytes]], tally: Tally, *, by_rank: bool) -> Iterator[Ranked]:
    """As `read_grouped_run`, from the gathered lines of each query.

    Raises:
        InputError: Everything wrong with the file.
    """
    return _by_query(path, _joined(gathered), tally, by_rank=by_rank)


def _joined(gathered: Iterable[list[bytes]]) -> Iterator[bytes]:
    ready: list[bytes] = []
    for lines in gathered:
        ready += lines
        if len(ready) > BLOCK_LINES:
            yield b"".join(ready)
            ready = []
    if ready:
        yield b"".join(ready)


def _by_query(path: Path, blocks: Iterator[bytes], tally: Tally, *, by_rank: bool) -> Iterator[Ranked]:
    seen: set[bytes] = set()
    query, documents, values = b"", list[bytes](), list[float]()
    for block in blocks:
        try:
            queries, found, keys = run_columns(block, tally, by_rank=by_rank)
        except RowError:
            raise _refusal(path, by_rank=by_rank) from None
        for start, end in stretches(queries):
            if queries[start] != query:
                if documents:
                    yield query, _keyed(path, documents, values, by_rank=by_rank)
                query, documents, values = queries[start], [], []
                if query in seen:
                    raise RowsNotGroupedError
                seen.add(query)
            documents += found[start:end]
            values += keys[start:end]
    if documents:
        yield query, _keyed(path, documents, values, by_rank=by_rank)


def _lines(block: bytes) -> list[bytes]:
    """The lines of a block with their ends; a carriage return alone ends none."""
    if b"\r" in block:
        return [line + b"\n" for line in block.removesuffix(b"\n").split(b"\n")]
    return block.splitlines(keepends=True)


def _keyed(path: Path, documents: list[bytes], values: list[float], *, by_rank: bool) -> dict[bytes, float]:
    keyed = dict(zip(documents, values, strict=False))
    if len(keyed) != len(documents) or (by_rank and len(set(values)) != len(values)):
        raise _refusal(path, by_rank=by_rank)
    return keyed


def _refusal(path: Path, *, by_rank: bool) -> InputError:
    from stages.storage.trec.faults import refuse_run

    return refuse_run(path, by_rank=by_rank)
