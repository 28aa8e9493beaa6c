"""The order trec_eval gives scored documents: score falling, and among equal scores the id falling, byte by byte."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TypeVar

from stages.core.hits import Hits, assemble_hits

# Ids as bytes, or as text: UTF-8 sorts as its code points do.
Id = TypeVar("Id", bytes, str)


def order_by_score(keys: Sequence[Id], scores: Sequence[float]) -> list[Id]:
    """Ids as trec_eval ranks them."""
    return [key for _, key in sorted(zip(scores, keys, strict=True), reverse=True)]


def find_scored_hits(judged: Mapping[Id, int], keys: Sequence[Id], scores: Sequence[float], level: int = 1) -> Hits:
    """The hits of scored `keys` (each once, in any order) in trec_eval's order, without sorting more than it takes.

    Only judged ids need a rank: it is the number of scores above theirs, plus one. Where one of them shares its
    score with another id, everything is put in order.
    """
    places = list(compress(range(len(keys)), map(judged.__contains__, keys)))
    if not places:
        return assemble_hits([], judged.values(), len(keys), level=level)
    rising = sorted(scores)
    ranked = []
    for at in places:
        score = scores[at]
        upto = bisect_right(rising, score)
        if upto > 1 and rising[upto - 2] == score:
            order = enumerate(order_by_score(keys, scores), 1)
            ranked = [(rank, judged[key]) for rank, key in order if key in judged]
            break
        ranked.append((len(rising) - upto + 1, judged[keys[at]]))
    ranked.sort()
    return assemble_hits(ranked, judged.values(), len(keys), level=level)
