"""Tables that people fill in with a spreadsheet: CSV, out and in, with every line accounted for."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stages.records.problem import InputError, Problem
from stages.storage.formats.rows import Row
from stages.storage.text_file import read_text, write_text

BOM = "\ufeff"
SEPARATORS = ",;\t"
# What a spreadsheet would compute, and an apostrophe in front of it, which keeps it from doing so.
FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
GUARDED = re.compile(r"'+[=+\-@\t\r\n]")


@dataclass(frozen=True)
class Table:
    """A header and its rows.

    Attributes:
        line: The line of the header.
        columns: The names in the header, each once.
        rows: Every row with the line it begins on and its text by column; a column that it lacks is empty.
        faults: By line, what is wrong with the shape of a row.
    """

    line: int
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    faults: Mapping[int, Problem]


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a table for a spreadsheet.

    It begins with a byte order mark, without which spreadsheets misread Chinese; text that a spreadsheet would
    take for a formula is written with an apostrophe in front, which `read_table` takes away.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _guarded(str(value)) for name, value in row.items()} for row in rows)
    write_text(path, BOM + out.getvalue())


def read_table(path: Path) -> Table:
    """Read a table; comma, semicolon or tab is told from the header. Lines with no text in any cell are passed over.

    Raises:
        InputError: no CSV, no header, or a column that stands twice.
    """
    text = read_text(path)
    lines = list(_lines(path, text))
    if not lines:
        raise InputError([Problem(str(path), 1, 0, "", "the file is empty: it has no header", "Check the name")])
    line, header = lines[0]
    columns = [name.strip() for name in header]
    if twice := sorted({name for name in columns if columns.count(name) > 1}):
        what = f"the column {', '.join(map(repr, twice))} stands twice"
        raise InputError([Problem(str(path), line, 0, "", what, "Keep one of the two")])
    rows = [Row(str(path), number, at, _cells(columns, cells)) for number, (at, cells) in enumerate(lines[1:], 1)]
    faults = {at: Problem(str(path), at, 0, "", *fault) for at, cells in lines[1:] if (fault := _fault(header, cells))}
    return Table(line, tuple(columns), tuple(rows), faults)


def _lines(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that say anything, each with where it begins: a quoted cell may go over several."""
    header = text.lstrip("\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text), delimiter=max(SEPARATORS, key=header.count), strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        what = f"the row that begins here is no CSV: {error}"
        raise InputError(
            [Problem(str(path), line, 0, "", what, "Close its cells, and write a quote within a cell twice")]
        ) from None


def _cells(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    return {**dict.fromkeys(columns, ""), **dict(zip(columns, map(_plain, cells), strict=False))}


def _fault(header: list[str], cells: list[str]) -> tuple[str, str] | None:
    """What is wrong with the shape of a row, and what to do."""
    if [cells[0].removeprefix(BOM), *cells[1:]] == header:
        return "the header stands here again, as where files were joined", "Remove the line"
    if cells[0].startswith(BOM):
        return "a byte order mark stands here, as where files were joined", "Remove it"
    counted = f"the row has {len(cells)} {'cell' if len(cells) == 1 else 'cells'} for {len(header)} columns"
    if len(cells) < len(header):
        return f"{counted}; {header[len(cells)].strip()!r} is the first without one", "Write every cell, empty ones too"
    if len(cells) > len(header):
        return f"{counted}; {cells[len(header)]!r} is the first too many", "Quote a cell that holds the separator"
    return None


def _guarded(text: str) -> str:
    return f"'{text}" if FORMULA.match(text) else text


def _plain(text: str) -> str:
    return text[1:] if GUARDED.match(text) else text
