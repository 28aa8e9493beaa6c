"""Every fault of a run or judgment file, with its place: read again, slowly, once the fast way has given up."""

from collections.abc import Callable, Iterator
from pathlib import Path

from stages.records.problem import InputError, Problem
from stages.storage.trec.blocks import read_blocks
from stages.storage.trec.row_rules import RowError
from stages.storage.trec.rows import read_judgment_row, read_rank, read_run_row

MAX_PROBLEMS = 100
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def refuse_run(path: Path, *, by_rank: bool) -> InputError:
    """All faults of a run; `by_rank` asks for ranks that are integers and stand once a query."""
    documents: dict[tuple[bytes, bytes], int] = {}
    ranks: dict[tuple[bytes, int], int] = {}

    def check(line: bytes, number: int) -> None:
        row = read_run_row(line)
        if row is None:
            return
        earlier = documents.setdefault((row.query, row.document), number)
        if earlier != number:
            what = f"document {_name(row.document)} was ranked for query {_name(row.query)} already, in line {earlier}"
            raise RowError(what, "Remove one of the rows")
        if by_rank:
            rank = read_rank(line)
            earlier = ranks.setdefault((row.query, rank), number)
            if earlier != number:
                what = f"rank {rank} of query {_name(row.query)} was given already, in line {earlier}"
                raise RowError(what, "Number the rows, or leave out --order rank")

    return _refuse(path, check, "rows")


def refuse_judgments(path: Path) -> InputError:
    """All faults of a judgment file."""
    grades: dict[tuple[bytes, bytes], tuple[int, int]] = {}

    def check(line: bytes, number: int) -> None:
        row = read_judgment_row(line)
        if row is None:
            return
        grade, earlier = grades.setdefault((row.query, row.document), (row.grade, number))
        if earlier != number:
            before = "with the same grade" if grade == row.grade else f"with grade {grade} and not {row.grade}"
            what = f"document {_name(row.document)} was judged for query {_name(row.query)} already"
            raise RowError(f"{what}, {before}, in line {earlier}", "Remove one of the rows")

    return _refuse(path, check, "judgments")


def _refuse(path: Path, check: Callable[[bytes, int], None], what: str) -> InputError:
    problems: list[Problem] = []
    comments = number = more = 0
    for number, line in enumerate(_lines(path), 1):
        if number == 1 and line.startswith(UTF16_MARKS):
            return InputError([Problem(str(path), 1, 1, "", "the file is UTF-16", "Save it as UTF-8")])
        comments += line.startswith(b"#")
        try:
            check(line, number)
        except RowError as error:
            if len(problems) < MAX_PROBLEMS:
                problems.append(_problem(path, number, line, error))
            else:
                more += 1
    if more:
        message = f"{more} more rows have faults, from here or below"
        problems.append(Problem(str(path), problems[-1].line + 1, 0, "", message, "Mend those above first"))
    if not problems:
        problems.append(_nothing(path, number, comments, what))
    return InputError(problems)


def _lines(path: Path) -> Iterator[bytes]:
    for block in read_blocks(path):
        yield from block.removesuffix(b"\n").split(b"\n")


def _problem(path: Path, number: int, line: bytes, error: RowError) -> Problem:
    column = 0 if error.byte is None else len(line[: error.byte].decode(errors="replace")) + 1
    return Problem(str(path), number, column, "", error.message, error.remedy)


def _nothing(path: Path, lines: int, comments: int, what: str) -> Problem:
    if not lines:
        return Problem(str(path), 0, 0, "", f"the file is empty: it holds no {what}", "Check the name")
    message = f"the file holds no {what}: {comments} of its {lines} lines begin with # and are comments"
    return Problem(str(path), 0, 0, "", message, "Check the name, or give ids that do not begin with #")


def _name(identifier: bytes) -> str:
    return repr(identifier.decode(errors="replace"))
