"""A golden case with where it was written."""

from collections.abc import Mapping
from dataclasses import dataclass

from stages.records.golden import GoldenCase
from stages.records.problem import Problem

Location = tuple[str | int, ...]


@dataclass(frozen=True)
class LocatedCase:
    """One case of one golden file.

    `places` maps a location within the case, such as `("expected", "documents", 0)`, to (line, column), from 1.
    """

    case: GoldenCase
    scenario: str
    file: str
    places: Mapping[Location, tuple[int, int]]

    def problem(self, location: Location, message: str, remedy: str) -> Problem:
        """Return a problem at a location, or at its nearest ancestor which is written down."""
        while location and location not in self.places:
            location = location[:-1]
        line, column = self.places.get(location, (1, 1))
        return Problem(self.file, line, column, self.case.id, message, remedy)
