"""What depends on the order of equal scores, which no retriever promised."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from stages.core.hits import Hits, find_hits

Id = TypeVar("Id", bytes, str)


class TieRange(NamedTuple):
    """The least and the most a value can be over all orders of equal scores; equal where ties do not matter."""

    low: float | None
    high: float | None


def extreme_orders(
    keys: Sequence[Id], scores: Sequence[float], worth: Mapping[Id, int]
) -> tuple[list[int], list[int]] | None:
    """Positions in the worst and in the best order of equal scores; None where no two scores are equal.

    Args:
        keys: Key of each candidate, in rank order; a key may stand more than once.
        scores: Score of each candidate. Only equal scores change places, and only if they stand side by side: rank is
            authoritative.
        worth: What a key is worth at its first place; keys that are missing are worth 0.

    Between the two orders lies the value of every measure that does not fall when the better of two neighbours moves
    up: all of metric semantics 1 but judged@k. Where keys repeat within one tie, the low value is an estimate.
    """
    groups = _groups(scores)
    if len(groups) == len(scores):
        return None
    worst: list[int] = []
    best: list[int] = []
    for group in groups:
        copies = Counter(keys[at] for at in group)
        first = {keys[at]: at for at in reversed(group)}
        best += sorted(group, key=lambda at: -worth.get(keys[at], 0) if first[keys[at]] == at else 0)
        worst += sorted(group, key=lambda at: (worth.get(keys[at], 0), -copies[keys[at]], first[keys[at]]))
    return worst, best


def _groups(scores: Sequence[float]) -> list[list[int]]:
    groups: list[list[int]] = []
    for at, score in enumerate(scores):
        if at and scores[at - 1] == score:
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def tie_ranges(
    judged: Mapping[Id, int],
    keys: Sequence[Id],
    scores: Sequence[float],
    values: Mapping[str, Callable[[Hits], float | None]],
    level: int = 1,
) -> dict[str, TieRange]:
    """The range of each value that depends on the order of equal scores; empty where none does."""
    orders = extreme_orders(keys, scores, judged)
    if orders is None:
        return {}
    sides = [find_hits(judged, [keys[at] for at in order], level) for order in orders]
    ranges = {}
    for name, value in values.items():
        one, other = value(sides[0]), value(sides[1])
        if one != other:
            low, high = sorted((one, other), key=lambda number: (number is None, number))
            ranges[name] = TieRange(low, high)
    return ranges
