"""The words of the formulas for many queries at once: what `Hits` means for one query, as numpy arrays."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

import numpy as np
import numpy.typing as npt

from stages.core.measure_names import parse_measure

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
UNJUDGED = np.iinfo(np.int64).min


@dataclass(frozen=True)
class HitArrays:
    """Hits of many queries: one row a hit, sorted by query and rank, and one number a query.

    Attributes:
        queries: How many queries there are.
        depth: Candidates of each query.
        hit_query: Query of each relevant key found.
        hit_rank: Its rank, from 1.
        hit_grade: Its grade.
        judged_query: Query of each judged key found, relevant or not.
        judged_rank: Its rank.
        relevant: Relevant keys of each query, found or not.
        best_query: Query of each relevant key, found or not, by query and falling grade.
        best_grade: Its grade.
    """

    queries: int
    depth: Ints
    hit_query: Ints
    hit_rank: Ints
    hit_grade: Ints
    judged_query: Ints
    judged_rank: Ints
    relevant: Ints
    best_query: Ints
    best_grade: Ints

    def found(self, k: int | Ints | None) -> Ints:
        """How many relevant keys are in the first k of each query."""
        return self._count(self.hit_query, self.hit_rank, k)

    def judged(self, k: int | None) -> Ints:
        """How many judged keys are in the first k of each query."""
        return self._count(self.judged_query, self.judged_rank, k)

    def repeats(self, k: int | None) -> Ints:
        """None: rows are distinct here, as in a TREC run."""
        del k
        return np.zeros(self.queries, dtype=np.int64)

    def candidates(self, k: int | None) -> Ints:
        """How many candidates are in the first k of each query."""
        return self.depth if k is None else np.minimum(k, self.depth)

    def first(self, k: int | None) -> Floats:
        """Rank of the first hit in the first k of each query, or infinity."""
        first = np.full(self.queries, np.inf)
        opens = self._hit_number == 1
        first[self.hit_query[opens]] = self.hit_rank[opens]
        return first if k is None else np.where(first <= k, first, np.inf)

    def total(self, term: Callable[[Any, Any], Any], k: int | None) -> Floats:
        """Add `term(number of the hit, its rank)` over the hits in the first k of each query."""
        terms = term(self._hit_number, self.hit_rank)
        return self._sum(self.hit_query, self.hit_rank, terms, k)

    def gain(self, of_grade: Callable[[Any], Any] | None, k: int | None) -> Floats:
        """Add the discounted gains of the first k of each query."""
        gains = self.hit_grade if of_grade is None else of_grade(self.hit_grade)
        return self._sum(self.hit_query, self.hit_rank, gains / _discounts(self.hit_rank), k)

    def ideal_gain(self, of_grade: Callable[[Any], Any] | None, k: int | None) -> Floats:
        """Add the discounted gains of the best possible first k of each query."""
        gains = self.best_grade if of_grade is None else of_grade(self.best_grade)
        ranks = _numbers(self.best_query)
        return self._sum(self.best_query, ranks, gains / _discounts(ranks), k)

    def smaller(self, one: int, other: Ints) -> Ints:
        """The smaller of two counts."""
        return np.minimum(one, other)

    def share(self, part: npt.ArrayLike, whole: npt.ArrayLike) -> Floats:
        """`part / whole`, and NaN where there is no whole."""
        wholes = np.broadcast_to(np.asarray(whole, dtype=np.float64), (self.queries,))
        shares = np.full(self.queries, np.nan)
        np.divide(part, wholes, out=shares, where=wholes != 0)
        return shares

    def labelled(self, value: Floats) -> Floats:
        """The value where the query has a relevant key, else NaN; nothing of nothing is 0."""
        return np.where(self.relevant > 0, np.nan_to_num(value), np.nan)

    def finite(self, value: Floats) -> Floats:
        """The value where it is finite, else NaN."""
        return np.where(np.isfinite(value), value, np.nan)

    @cached_property
    def _hit_number(self) -> Ints:
        return _numbers(self.hit_query)

    def _count(self, query: Ints, rank: Ints, k: int | Ints | None) -> Ints:
        if k is None:
            return np.bincount(query, minlength=self.queries)
        limit = k[query] if isinstance(k, np.ndarray) else k
        return np.bincount(query[rank <= limit], minlength=self.queries)

    def _sum(self, query: Ints, rank: Ints, terms: Floats, k: int | None) -> Floats:
        # bincount adds in the order of the rows, as the loop over one query's hits does: the last digit agrees.
        kept = rank <= (np.iinfo(np.int64).max if k is None else k)
        return np.bincount(query[kept], weights=terms[kept], minlength=self.queries).astype(np.float64, copy=False)


def hit_arrays(row_query: Ints, row_grade: Ints, judged_query: Ints, judged_grade: Ints, queries: int) -> HitArrays:
    """Build the hits of `queries` queries from rows that stand in rank order.

    Args:
        row_query: Query (from 0) of each candidate, not falling; its rank is its place within the query.
        row_grade: Grade of each candidate, `UNJUDGED` where nobody judged it. A key stands once a query.
        judged_query: Query of each judgment, in any order.
        judged_grade: Its grade.
        queries: How many queries there are; those without rows or judgments count as well.
    """
    depth = np.bincount(row_query, minlength=queries)
    judged_rows = np.flatnonzero(row_grade != UNJUDGED)
    query, grade = row_query[judged_rows], row_grade[judged_rows]
    rank = judged_rows - (np.cumsum(depth) - depth)[query] + 1
    hit = grade > 0
    positive = judged_grade > 0
    order = _by_query_and_falling_grade(judged_query[positive], judged_grade[positive])
    return HitArrays(
        queries=queries,
        depth=depth,
        hit_query=query[hit],
        hit_rank=rank[hit],
        hit_grade=grade[hit],
        judged_query=query,
        judged_rank=rank,
        relevant=np.bincount(judged_query[positive], minlength=queries),
        best_query=judged_query[positive][order],
        best_grade=judged_grade[positive][order],
    )


def _by_query_and_falling_grade(query: Ints, grade: Ints) -> Ints:
    # One key sorts faster than two, and faster still where the judgments come query by query.
    return np.argsort(query * (grade.max(initial=0) + 1) - grade, kind="stable")


def score_arrays(hits: HitArrays, measures: list[str]) -> dict[str, Floats]:
    """Every measure of every query by its name, such as `recall@5`; NaN where it does not exist for a query.

    Raises:
        ValueError: A measure that is not known.
    """
    formulas = {name: parse_measure(name) for name in measures}
    with np.errstate(divide="ignore"):
        return {name: np.asarray(formula(hits, k), dtype=np.float64) for name, (formula, k) in formulas.items()}


def _numbers(query: Ints) -> Ints:
    """Number of each row within its query, from 1; rows of a query stand together."""
    places = np.arange(len(query))
    opens = np.flatnonzero(np.r_[True, query[1:] != query[:-1]]) if len(query) else places
    sizes = np.diff(np.r_[opens, len(query)])
    return places - np.repeat(opens, sizes) + 1


def _discounts(ranks: Ints) -> Floats:
    # From the same function as one query's discounts: numpy's log2 may differ in the last digit.
    deepest = int(ranks.max(initial=0))
    return np.array([log2(rank + 1) for rank in range(deepest + 1)])[ranks]
