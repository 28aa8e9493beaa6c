"""Where the judged keys of one query stand in its ranking: all that any measure needs to know of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, log2
from typing import Any, NamedTuple, TypeVar

# Ids as bytes, or as text.
Id = TypeVar("Id", bytes, str)

# The discount of nDCG at each rank, log2(rank + 1), for the ranks that are met most.
TABULATED = 1000
DISCOUNTS = [log2(rank + 1) for rank in range(TABULATED)]


class Hits(NamedTuple):
    """One query's judgments and ranking, reduced to ranks (from 1) and grades.

    Its methods are the words the formulas are written in; `stages.core.hit_arrays` has the same words for many
    queries at once. A cut-off `k` of None means the whole ranking.

    Attributes:
        ranks: Rank of each relevant key found, ascending; a key counts once, at its best rank.
        gain_ranks: Rank of each key found whose grade is 1 or more: `ranks`, unless relevance begins at a higher grade.
        grades: Grades at `gain_ranks`.
        judged_found: Rank and grade of each judged key found, relevant or not, by rank.
        repeat_ranks: Ranks at which a key stands that stood higher already, ascending.
        relevant: How many keys are relevant, found or not.
        best_grades: All grades of 1 or more, found or not, highest first.
        nonrelevant: How many keys are judged, 0 or above, and not relevant, found or not.
        depth: How many candidates the ranking has.
    """

    ranks: Sequence[int]
    gain_ranks: Sequence[int]
    grades: Sequence[int]
    judged_found: Sequence[tuple[int, int]]
    repeat_ranks: Sequence[int]
    relevant: int
    best_grades: Sequence[int]
    nonrelevant: int
    depth: int

    def found(self, k: int | None) -> int:
        """How many relevant keys are in the first k."""
        return _within(self.ranks, k)

    def judged(self, k: int | None) -> int:
        """How many judged keys are in the first k."""
        return sum(k is None or rank <= k for rank, _ in self.judged_found)

    def nonrelevant_ranks(self) -> list[int]:
        """Ranks of the keys found that are judged, 0 or above, and not relevant, ascending."""
        relevant = set(self.ranks)
        return [rank for rank, grade in self.judged_found if grade >= 0 and rank not in relevant]

    def negative_ranks(self) -> list[int]:
        """Ranks of the keys found whose grade is negative: judged, but trec_eval takes them as unjudged."""
        return [rank for rank, grade in self.judged_found if grade < 0]

    def repeats(self, k: int | None) -> int:
        """How many candidates in the first k repeat a key."""
        return _within(self.repeat_ranks, k)

    def candidates(self, k: int | None) -> int:
        """How many candidates are in the first k: fewer than k where fewer came back."""
        return self.depth if k is None else min(k, self.depth)

    def first(self, k: int | None) -> float:
        """Rank of the first hit in the first k, or infinity."""
        return self.ranks[0] if self.ranks and (k is None or self.ranks[0] <= k) else inf

    def total(self, term: Callable[[Any, Any], Any], k: int | None) -> float:
        """Add `term(number of the hit from 1, its rank)` over the hits in the first k."""
        return add_up(map(term, range(1, _within(self.ranks, k) + 1), self.ranks))

    def gain(self, of_grade: Callable[[Any], Any] | None, k: int | None) -> float:
        """Add the discounted gains of the first k; `of_grade` None: the grade is the gain."""
        return _discounted(of_grade, self.grades, self.gain_ranks, k)

    def ideal_gain(self, of_grade: Callable[[Any], Any] | None, k: int | None) -> float:
        """Add the discounted gains of the best possible first k."""
        return _discounted(of_grade, self.best_grades[:k], range(1, len(self.best_grades) + 1), k)

    def smaller(self, one: int, other: int) -> int:
        """The smaller of two counts."""
        return min(one, other)

    def share(self, part: float, whole: float) -> float | None:
        """`part / whole`, and None where there is no whole."""
        return part / whole if whole else None

    def labelled(self, value: float | None) -> float | None:
        """The value where the query has a relevant key, else None; nothing of nothing is 0."""
        return (value or 0.0) if self.relevant else None

    def finite(self, value: float) -> float | None:
        """The value where it is finite, else None."""
        return None if value == inf else value


def find_hits(judged: Mapping[Id, int], ranking: Sequence[Id], level: int = 1) -> Hits:
    """Look up every key of `ranking` (in rank order, repeats allowed) in `judged` (key to grade)."""
    best: dict[Id, int] = {}
    repeats = [rank for rank, key in enumerate(ranking, 1) if best.setdefault(key, rank) != rank]
    found = [(rank, judged[key]) for key, rank in best.items() if key in judged]
    return assemble_hits(found, judged.values(), len(ranking), repeats, level)


def assemble_hits(
    found: Sequence[tuple[int, int]],
    grades: Iterable[int],
    depth: int,
    repeat_ranks: Sequence[int] = (),
    level: int = 1,
) -> Hits:
    """Build the hits of one query.

    Args:
        found: Rank and grade of each judged key in the ranking, by rank.
        grades: Grades of all judged keys.
        depth: How many candidates the ranking has.
        repeat_ranks: Ranks that repeat a key, ascending.
        level: The lowest grade that counts as relevant.
    """
    rising = sorted(grades)
    first_positive, first_relevant = bisect_left(rising, 1), bisect_left(rising, level)
    ranks = [rank for rank, grade in found if grade >= level]
    return Hits(
        ranks,
        ranks if level == 1 else [rank for rank, grade in found if grade >= 1],
        [grade for _, grade in found if grade >= 1],
        found,
        repeat_ranks,
        len(rising) - first_relevant,
        rising[first_positive:][::-1],
        first_relevant - bisect_left(rising, 0),
        depth,
    )


def _within(ranks: Sequence[int], k: int | None) -> int:
    return len(ranks) if k is None or not ranks or ranks[-1] <= k else bisect_right(ranks, k)


def add_up(terms: Iterable[float]) -> float:
    """Add from left to right, as trec_eval does: `sum` compensates from Python 3.12 on, and would end otherwise."""
    total = 0.0
    for term in terms:
        total += term
    return total


def _discounted(
    of_grade: Callable[[Any], Any] | None, grades: Sequence[int], ranks: Sequence[int], k: int | None
) -> float:
    gains = grades if of_grade is None else map(of_grade, grades)
    total = 0.0
    for rank, gain in zip(ranks, gains, strict=False):
        if k is not None and rank > k:
            break
        total += gain / (DISCOUNTS[rank] if rank < TABULATED else log2(rank + 1))
    return total
