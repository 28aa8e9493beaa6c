"""One row of a run or of a judgment file, read with care: the meaning that the fast way must agree with."""

from math import isnan
from typing import NamedTuple

from stages.storage.trec.row_rules import BOM, JUDGMENT_COLUMNS, MAX_GRADE, RUN_COLUMNS, RowError

SCORE_BYTES = frozenset(b"0123456789+-.eEinftyINFTY")
INTEGER_BYTES = frozenset(b"0123456789+-")


class RunRow(NamedTuple):
    """A row of a run; `wide` says that it has more columns than six, which are ignored as trec_eval does."""

    query: bytes
    document: bytes
    rank: bytes
    score: float
    tag: bytes
    wide: bool


class JudgmentRow(NamedTuple):
    """A row of a judgment file."""

    query: bytes
    document: bytes
    grade: int


def read_run_row(line: bytes) -> RunRow | None:
    """Read `query Q0 document rank score tag`; None for a comment, which begins with `#`.

    Columns are parted by ASCII white space only, as in C: a no-break space is part of an id.

    Raises:
        RowError: The line is empty, too short, no UTF-8, holds NUL, a carriage return or a byte order mark, or its
            score is not a number.
    """
    fields = _fields(line)
    if fields is None:
        return None
    if len(fields) < RUN_COLUMNS:
        remedy = "A run has six: query, Q0, document, rank, score, run name"
        raise RowError(f"the row has {_columns(len(fields))}: {_shown(line)}", remedy)
    return RunRow(fields[0], fields[2], fields[3], _score(line, fields), fields[5], len(fields) > RUN_COLUMNS)


def read_rank(line: bytes) -> int:
    """The rank of a run's row, asked for only where the recorded order counts.

    Raises:
        RowError: It is no integer.
    """
    fields = line.split()
    if not INTEGER_BYTES.issuperset(fields[3]) or not fields[3].lstrip(b"+-").isdigit():
        raise RowError(f"the rank {_shown(fields[3])} is not an integer", "Number the rows", _offset(line, 3))
    return int(fields[3])


def read_judgment_row(line: bytes) -> JudgmentRow | None:
    """Read `query iteration document grade`; None for a comment, which begins with `#`.

    Raises:
        RowError: The line is empty, has not four columns, is no UTF-8, holds NUL, a carriage return or a byte order
            mark, or its grade is no integer.
    """
    fields = _fields(line)
    if fields is None:
        return None
    if len(fields) != JUDGMENT_COLUMNS:
        remedy = "A judgment has four: query, iteration, document, grade"
        raise RowError(f"the row has {_columns(len(fields))}: {_shown(line)}", remedy)
    return JudgmentRow(fields[0], fields[2], _grade(line, fields[3]))


def _fields(line: bytes) -> list[bytes] | None:
    _refuse_joined(line)
    if line.startswith(b"#"):
        return None
    if b"\0" in line:
        raise RowError("the row holds a NUL byte", "Save the file as plain UTF-8 text", line.index(b"\0"))
    try:
        line.decode()
    except UnicodeDecodeError as error:
        byte = f"the byte 0x{line[error.start]:02x} is not UTF-8"
        raise RowError(byte, "Save the file as UTF-8", error.start) from None
    fields = line.split()
    if not fields:
        raise RowError("the line is empty", "Remove it")
    return fields


def _refuse_joined(line: bytes) -> None:
    """What would make one row of several, also behind a `#`, or an id that looks like another and is not."""
    if b"\r" in line.rstrip(b"\r"):
        what, remedy = "a carriage return stands within the line", "End lines with a line feed"
        raise RowError(what, remedy, line.index(b"\r"))
    if BOM in line:
        what, remedy = "a byte order mark stands here, as where files were joined", "Remove it"
        raise RowError(what, remedy, line.index(BOM))


def _score(line: bytes, fields: list[bytes]) -> float:
    text = fields[4]
    try:
        value = float(text)
    except ValueError:
        raise RowError(f"the score {_shown(text)} is not a number", "Write a decimal", _offset(line, 4)) from None
    if isnan(value):
        raise RowError(f"the score {_shown(text)} has no place in an order", "Write a number", _offset(line, 4))
    if not SCORE_BYTES.issuperset(text):
        raise RowError(f"the score {_shown(text)} is not a plain number", "Write a decimal", _offset(line, 4))
    return value


def _grade(line: bytes, text: bytes) -> int:
    if not INTEGER_BYTES.issuperset(text) or not text.lstrip(b"+-").isdigit() or len(text) > 20:  # noqa: PLR2004
        remedy = "Grades are whole numbers: 0 and below is not relevant, 1 and above is"
        raise RowError(f"the grade {_shown(text)} is not an integer", remedy, _offset(line, 3))
    try:
        grade = int(text)
    except ValueError:
        raise RowError(f"the grade {_shown(text)} is not an integer", "Write one sign", _offset(line, 3)) from None
    if abs(grade) > MAX_GRADE:
        remedy = f"Use grades from -{MAX_GRADE} to {MAX_GRADE}"
        raise RowError(f"the grade {_shown(text)} is out of range", remedy, _offset(line, 3))
    return grade


def _offset(line: bytes, column: int) -> int:
    """Where a column begins, in bytes."""
    at = 0
    for field in line.split()[:column]:
        at = line.index(field, at) + len(field)
    return len(line) - len(line[at:].lstrip())


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"


def _shown(text: bytes) -> str:
    shown = text.strip().decode(errors="replace")
    return repr(shown if len(shown) <= 60 else shown[:57] + "...")  # noqa: PLR2004
