"""The order trec_eval gives scored documents: score falling, and among equal scores the id falling, byte by byte."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import TypeVar

from stages.core.hits import Hits, assemble_hits

# Ids as bytes, or as text: UTF-8 sorts as its code points do.
Id = TypeVar("Id", bytes, str)


def order_by_score(scores: Mapping[Id, float]) -> list[Id]:
    """Ids as trec_eval ranks them."""
    return [key for _, key in sorted(zip(scores.values(), scores.keys(), strict=True), reverse=True)]


def find_scored_hits(judged: Mapping[Id, int], scores: Mapping[Id, float], level: int = 1) -> Hits:
    """The hits of `scores` (id to score) in trec_eval's order, without sorting more than it takes.

    Only judged ids need a rank: it is the number of scores above theirs, plus one. Where one of them shares its
    score with another id, everything is put in order.
    """
    found = [(scores[key], key) for key in judged if key in scores]
    ranks = _ranks(found, scores) if found else []
    ranked = sorted(zip(ranks, (judged[key] for _, key in found), strict=True))
    return assemble_hits(ranked, judged.values(), len(scores), level=level)


def _ranks(found: list[tuple[float, Id]], scores: Mapping[Id, float]) -> list[int]:
    rising = sorted(scores.values())
    ranks = []
    for score, _ in found:
        above = bisect_right(rising, score)
        if above - bisect_left(rising, score, 0, above) > 1:
            place = {key: rank for rank, key in enumerate(order_by_score(scores), 1)}
            return [place[key] for _, key in found]
        ranks.append(len(rising) - above + 1)
    return ranks
