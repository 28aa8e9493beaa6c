"""The formulas of metric semantics 1, each over the hits of one query cut at rank k.

Every function takes the hits and the cut-off (`k` None: the whole ranking) and returns the value, or None where the
measure does not exist: without a relevant key there is nothing to find, and without a candidate nothing to judge.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import log2

from stages.core.hits import Hits

Formula = Callable[[Hits, int | None], float | None]


def _within(ranks: Sequence[int], k: int | None) -> int:
    return len(ranks) if k is None else bisect_right(ranks, k)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _total(terms: Iterable[float]) -> float:
    """Add from left to right: `sum` compensates from Python 3.12 on, and the last digit would depend on the version."""
    total = 0.0
    for term in terms:
        total += term
    return total


def hit(hits: Hits, k: int | None) -> float | None:
    """1 if any relevant key is in the first k, else 0."""
    return float(_within(hits.ranks, k) > 0) if hits.relevant_grades else None


def recall(hits: Hits, k: int | None) -> float | None:
    """Relevant keys in the first k / relevant keys."""
    return _share(_within(hits.ranks, k), len(hits.relevant_grades))


def capped_recall(hits: Hits, k: int | None) -> float | None:
    """Relevant keys in the first k / the most that the first k could hold."""
    relevant = len(hits.relevant_grades)
    return _share(_within(hits.ranks, k), relevant if k is None else min(k, relevant))


def precision(hits: Hits, k: int | None) -> float | None:
    """Relevant keys in the first k / k, however few came back."""
    if not hits.relevant_grades:
        return None
    size = hits.depth if k is None else k
    return _within(hits.ranks, k) / size if size else 0.0


def r_precision(hits: Hits, k: int | None) -> float | None:
    """Precision at R, the number of relevant keys; takes no cut-off."""
    del k
    relevant = len(hits.relevant_grades)
    return _share(_within(hits.ranks, relevant), relevant)


def reciprocal_rank(hits: Hits, k: int | None) -> float | None:
    """1 / rank of the first hit within the first k, else 0."""
    if not hits.relevant_grades:
        return None
    return 1 / hits.ranks[0] if _within(hits.ranks, k) else 0.0


def first_hit_rank(hits: Hits, k: int | None) -> float | None:
    """Rank of the first hit within the first k; None without a hit."""
    return hits.ranks[0] if _within(hits.ranks, k) else None


def average_precision(hits: Hits, k: int | None) -> float | None:
    """Sum of the precision at each hit within the first k / relevant keys."""
    terms = (number / rank for number, rank in enumerate(hits.ranks[: _within(hits.ranks, k)], 1))
    return _share(_total(terms), len(hits.relevant_grades))


def _discounted(gains: Iterable[float], ranks: Iterable[int]) -> float:
    return _total(gain / log2(rank + 1) for gain, rank in zip(gains, ranks, strict=False))


def ndcg(hits: Hits, k: int | None) -> float | None:
    """Discounted gain of the first k / that of the best possible first k; gain = grade, discount = log2(rank + 1)."""
    found = _discounted(hits.grades, hits.ranks[: _within(hits.ranks, k)])
    return _share(found, _discounted(hits.relevant_grades[:k], range(1, len(hits.relevant_grades) + 1)))


def ndcg_exponential(hits: Hits, k: int | None) -> float | None:
    """As nDCG, with gain = 2 ** grade - 1."""
    gains, best = ([2.0**grade - 1 for grade in grades] for grades in (hits.grades, hits.relevant_grades))
    found = _discounted(gains, hits.ranks[: _within(hits.ranks, k)])
    return _share(found, _discounted(best[:k], range(1, len(best) + 1)))


def judged(hits: Hits, k: int | None) -> float | None:
    """Candidates in the first k that are judged / candidates in the first k; repeats are left out of both."""
    first_k = _candidates(hits, k) - _within(hits.repeat_ranks, k)
    return _share(_within(hits.ranks, k) + _within(hits.nonrelevant_ranks, k), first_k)


def duplicate_rate(hits: Hits, k: int | None) -> float | None:
    """Candidates in the first k whose key stood higher already / candidates in the first k."""
    return _share(_within(hits.repeat_ranks, k), _candidates(hits, k))


def _candidates(hits: Hits, k: int | None) -> int:
    depth = hits.depth or 0
    return depth if k is None else min(k, depth)


FORMULAS: dict[str, Formula] = {
    "hit": hit,
    "recall": recall,
    "capped_recall": capped_recall,
    "precision": precision,
    "r_precision": r_precision,
    "rr": reciprocal_rank,
    "first_hit_rank": first_hit_rank,
    "ap": average_precision,
    "ndcg": ndcg,
    "ndcg_exp": ndcg_exponential,
    "judged": judged,
    "duplicate_rate": duplicate_rate,
}
