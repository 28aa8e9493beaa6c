"""What an importer made of somebody else's file."""

from dataclasses import dataclass

from stages.records.chunk import Chunk
from stages.records.golden import GoldenCase
from stages.records.problem import Problem
from stages.records.recording import Recording


@dataclass(frozen=True)
class ImportedCase:
    """One case with the scenario whose file it belongs into."""

    scenario: str
    case: GoldenCase


@dataclass(frozen=True)
class Imported:
    """Every row of a file is in `cases` or `recordings`, or in `refused`; nothing is dropped silently.

    Attributes:
        rows_in: Rows (cases, lines, entries: the unit of the format) in the file.
        rows_used: Those of which something was made; rows_in - rows_used rows were refused.
        cases: The cases, in order of the file.
        recordings: The rankings, where the format holds any.
        chunks: The corpus, where the format holds one.
        refused: Why each refused row was refused, with its place.
        remarks: What was changed or left out of a row which was used: a renamed id, a field without a home.
    """

    rows_in: int
    rows_used: int
    cases: tuple[ImportedCase, ...] = ()
    recordings: tuple[Recording, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    refused: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()
