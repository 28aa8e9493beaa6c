"""Rows to an import, one function a row: a refused row never stops the others."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError, Problem
from stages.storage.formats.rows import Row


def collect_cases(rows: Sequence[Row], convert: Callable[[Row], ImportedCase], remarks: list[Problem]) -> Imported:
    """Convert each row to one case; `remarks` is read after the last row, so `convert` may add to it."""
    cases: list[ImportedCase] = []
    refused: list[Problem] = []
    for row in rows:
        try:
            cases.append(replace(convert(row), file=row.file, places={(): (row.line, 0)}))
        except InputError as error:
            refused.extend(error.problems)
    return Imported(len(rows), len(cases), tuple(cases), refused=tuple(refused), remarks=tuple(remarks))
