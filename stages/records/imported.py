"""What an importer made of somebody else's file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from stages.records.chunk import Chunk
from stages.records.golden import GoldenCase
from stages.records.located_case import Location
from stages.records.problem import Problem
from stages.records.recording import Recording


@dataclass(frozen=True)
class ImportedCase:
    """One case with the scenario whose file it belongs into, and where it came from.

    Attributes:
        scenario: The scenario.
        case: The case.
        file: The file it was read from.
        places: Line and column of what was read, by its location in the case; 0 where the format tells none.
        rows: How many rows of the file it was made of.
    """

    scenario: str
    case: GoldenCase
    file: str = field(default="", compare=False)
    places: Mapping[Location, tuple[int, int]] = field(default_factory=lambda: {(): (0, 0)}, compare=False)
    rows: int = field(default=1, compare=False)


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
