"""The columns of a block of rows, split all at once; row by row only where a block is out of the ordinary."""

from collections.abc import Iterator
from math import isfinite

from stages.storage.trec.row_rules import BOM, JUDGMENT_COLUMNS, MAX_GRADE, RUN_COLUMNS

STRIDE = 16
ORDINARY_INTEGER = b"0123456789+-"


class Tally:
    """What was read so far, counted, so that no row is lost in silence.

    Attributes:
        rows: Rows read.
        comments: Lines that begin with `#`.
        wide: Rows of a run with more than six columns.
        tag: The run's name in its first row.
        ascii: Whether all of it was ASCII.
    """

    def __init__(self) -> None:
        self.rows = self.comments = self.wide = 0
        self.tag = ""
        self.ascii = True

    def as_data(self) -> tuple[int, int, int, str, bool]:
        """All of it as plain data."""
        return self.rows, self.comments, self.wide, self.tag, self.ascii

    def add(self, counts: tuple[int, int, int, str, bool]) -> None:
        """Add what another part of the file held."""
        self.rows += counts[0]
        self.comments += counts[1]
        self.wide += counts[2]
        self.tag = self.tag or counts[3]
        self.ascii = self.ascii and counts[4]


def run_columns(block: bytes, tally: Tally, *, by_rank: bool) -> tuple[list[bytes], list[bytes], list[float]]:
    """Queries, documents and sort keys of a block of whole lines: the score, or the rank negated.

    Raises:
        RowError: A row at fault.
    """
    tally.ascii = tally.ascii and block.isascii()
    tokens = _split(block, RUN_COLUMNS)
    values = None if tokens is None else _run_values(tokens, by_rank=by_rank)
    if tokens is None or values is None:
        return _run_row_by_row(block, tally, by_rank=by_rank)
    tally.rows += len(values)
    tally.tag = tally.tag or tokens[5].decode()
    return tokens[0 :: RUN_COLUMNS + 1], tokens[2 :: RUN_COLUMNS + 1], values


def judgment_columns(block: bytes, tally: Tally) -> tuple[list[bytes], list[bytes], list[int]]:
    """Queries, documents and grades of a block of whole lines.

    Raises:
        RowError: A row at fault.
    """
    tokens = _split(block, JUDGMENT_COLUMNS)
    grades = None if tokens is None else _integers(tokens[3 :: JUDGMENT_COLUMNS + 1])
    if tokens is None or grades is None or max(grades) > MAX_GRADE or min(grades) < -MAX_GRADE:
        return _judgments_row_by_row(block, tally)
    tally.rows += len(grades)
    return tokens[0 :: JUDGMENT_COLUMNS + 1], tokens[2 :: JUDGMENT_COLUMNS + 1], grades


def stretches(queries: list[bytes]) -> Iterator[tuple[int, int]]:
    """Begin and end of each stretch of equal queries in a column."""
    start, size = 0, len(queries)
    while start < size:
        query, end = queries[start], start + 1
        while queries[end : end + STRIDE].count(query) == STRIDE:
            end += STRIDE
        while end < size and queries[end] == query:
            end += 1
        yield start, end
        start = end


def _split(block: bytes, width: int) -> list[bytes] | None:
    """All fields in a row, each line closed by a NUL field; None unless every line is plain and has `width` fields."""
    if b"\0" in block or (b"#" in block and b"\n#" in b"\n" + block) or not _is_plain_utf8(block):
        return None
    if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
        return None
    closed = block.replace(b"\n", b" \0 ")
    lines = (len(closed) - len(block)) // 2
    tokens = closed.split()
    if len(tokens) != lines * (width + 1) or tokens[width :: width + 1].count(b"\0") != lines:
        return None
    return tokens


def _is_plain_utf8(block: bytes) -> bool:
    """Whether it is UTF-8 without a byte order mark, which has no place but at the start of a file."""
    try:
        return block.isascii() or (BOM not in block and bool(block.decode()))
    except UnicodeDecodeError:
        return False


def _run_values(tokens: list[bytes], *, by_rank: bool) -> list[float] | None:
    scores = tokens[4 :: RUN_COLUMNS + 1]
    try:
        values = list(map(float, scores))
    except ValueError:
        return None
    # NaN and infinity show in the sum; `float` takes underscores between digits, and a run may not have them.
    if not isfinite(sum(values)) or b"_" in b"".join(scores):
        return None
    if not by_rank:
        return values
    ranks = _integers(tokens[3 :: RUN_COLUMNS + 1])
    return None if ranks is None else [-rank for rank in ranks]


def _integers(fields: list[bytes]) -> list[int] | None:
    if b"".join(fields).translate(None, ORDINARY_INTEGER):
        return None
    try:
        return list(map(int, fields))
    except ValueError:
        return None


def _run_row_by_row(block: bytes, tally: Tally, *, by_rank: bool) -> tuple[list[bytes], list[bytes], list[float]]:
    # Few files have such a block: what reads it is imported when one comes.
    from stages.storage.trec.rows import read_rank, read_run_row

    queries, documents, values = list[bytes](), list[bytes](), list[float]()
    for line in block.removesuffix(b"\n").split(b"\n"):
        row = read_run_row(line)
        if row is None:
            tally.comments += 1
            continue
        tally.rows += 1
        tally.wide += row.wide
        tally.tag = tally.tag or row.tag.decode()
        queries.append(row.query)
        documents.append(row.document)
        values.append(-read_rank(line) if by_rank else row.score)
    return queries, documents, values


def _judgments_row_by_row(block: bytes, tally: Tally) -> tuple[list[bytes], list[bytes], list[int]]:
    from stages.storage.trec.rows import read_judgment_row

    read = [read_judgment_row(line) for line in block.removesuffix(b"\n").split(b"\n")]
    rows = [row for row in read if row is not None]
    tally.rows += len(rows)
    tally.comments += len(read) - len(rows)
    return [row.query for row in rows], [row.document for row in rows], [row.grade for row in rows]
