"""The order trec_eval gives scored documents: score falling, and among equal scores the id falling, byte by byte."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import TypeVar

from stages.core.hits import Hits, assemble_hits

# Ids as bytes, or as text: UTF-8 sorts as its code points do.
Id = TypeVar("Id", bytes, str)


def order_by_score(scores: Mapping[Id, float]) -> list[Id]:
    """Ids (each with its score) as trec_eval ranks them."""
    # Sorting pairs takes twice as long where scores are equal, which is when an order is asked for.
    return sorted(sorted(scores, reverse=True), key=scores.__getitem__, reverse=True)


def find_scored_hits(judged: Mapping[Id, int], scores: Mapping[Id, float], level: int = 1) -> Hits:
    """The hits of `scores` (id to score) in trec_eval's order, without sorting more than it takes.

    Only judged ids need a rank: it is the number of scores above theirs, plus one. Where one of them shares its
    score with another id, everything is put in order.
    """
    rising = sorted(scores.values())
    size = len(rising)
    found = judged.keys() & scores.keys()
    ranked = sorted([(size + 1 - bisect_right(rising, scores[key]), judged[key]) for key in found])
    for rank, _ in ranked:
        if rank < size and rising[size - rank - 1] == rising[size - rank]:
            ranked = [(rank, judged[key]) for rank, key in enumerate(order_by_score(scores), 1) if key in found]
            break
    return assemble_hits(ranked, judged.values(), size, level=level)
