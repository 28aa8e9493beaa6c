"""Where the judged keys stand in one ranking: all that any measure needs to know of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hits:
    """One query's judgments and ranking, reduced to ranks (from 1) and grades.

    Attributes:
        ranks: Rank of each relevant key found, ascending; a key counts once, at its best rank.
        grades: Grade of each of them, in the same order.
        nonrelevant_ranks: Ranks of the keys found that are judged and not relevant, ascending.
        repeat_ranks: Ranks at which a key stands that stood higher already, ascending.
        relevant_grades: Grades of all relevant keys, found or not, highest first.
        nonrelevant: How many keys are judged and not relevant, found or not.
        depth: How many candidates the ranking has; None where the query was never asked.
    """

    ranks: tuple[int, ...]
    grades: tuple[int, ...]
    nonrelevant_ranks: tuple[int, ...]
    repeat_ranks: tuple[int, ...]
    relevant_grades: tuple[int, ...]
    nonrelevant: int
    depth: int | None


def find_hits(judged: Mapping[str, int], ranking: Sequence[str] | None) -> Hits:
    """Look up every key of `ranking` (in rank order, or None: never asked) in `judged` (key to grade)."""
    first: dict[str, int] = {}
    repeats = [rank for rank, key in enumerate(ranking or (), 1) if first.setdefault(key, rank) != rank]
    found = [(rank, judged[key]) for key, rank in first.items() if key in judged]
    relevant = sorted((grade for grade in judged.values() if grade > 0), reverse=True)
    return Hits(
        ranks=tuple(rank for rank, grade in found if grade > 0),
        grades=tuple(grade for _, grade in found if grade > 0),
        nonrelevant_ranks=tuple(rank for rank, grade in found if grade <= 0),
        repeat_ranks=tuple(repeats),
        relevant_grades=tuple(relevant),
        nonrelevant=len(judged) - len(relevant),
        depth=None if ranking is None else len(ranking),
    )
