"""Searching a Milvus collection: dense, sparse, filtered; always in the same order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stages.retrievers.embedder import Vectors
from stages.retrievers.failure import EngineFailure
from stages.retrievers.milvus_collection import DENSE, INDEX_OF, SPARSE, Collection

DIGITS = 6
MOST_AT_ONCE = 16_384


@dataclass(frozen=True)
class Hit:
    """One chunk that was found, with the engine's score rounded to 6 digits."""

    chunk_id: str
    score: float


def search_dense(collection: Collection, vector: Vectors, depth: int, only: str = "") -> list[Hit]:
    """Return the `depth` nearest chunks by cosine similarity; `only` is a Milvus filter such as `lang == "zh"`.

    Raises:
        EngineFailure: `wrong_dimension`; anything the engine did, a filter it does not take included.
    """
    if len(vector) != collection.dimensions:
        reason = f"the query has {len(vector)} dimensions, the collection {collection.name} {collection.dimensions}"
        raise EngineFailure("wrong_dimension", reason)
    return _search(collection, DENSE, [float(value) for value in vector], depth, only)


def search_sparse(collection: Collection, weights: Mapping[int, float], depth: int, only: str = "") -> list[Hit]:
    """Return the `depth` chunks with the largest inner product; a query without a known term finds nothing.

    Raises:
        EngineFailure: anything the engine did, a filter it does not take included.
    """
    return _search(collection, SPARSE, dict(weights), depth, only) if weights else []


def _search(collection: Collection, field: str, query: Any, depth: int, only: str) -> list[Hit]:
    """Ask for one more than `depth` until the cut does not fall into a tie, whose order would be the engine's own."""
    most = min(collection.count, MOST_AT_ONCE)
    limit = min(depth + 1, most)
    while True:
        hits = _ask(collection, field, query, limit, only)
        if len(hits) < limit or limit == most or hits[depth - 1].score > hits[-1].score:
            return hits[:depth]
        limit = min(2 * limit, most)


def _ask(collection: Collection, field: str, query: Any, limit: int, only: str) -> list[Hit]:
    answer = collection.session.ask(
        "search",
        collection.name,
        data=[query],
        anns_field=field,
        limit=limit,
        filter=only,
        search_params={"metric_type": INDEX_OF[field][1]},
    )
    hits = [Hit(str(hit.id), round(float(hit.distance), DIGITS) + 0.0) for hit in answer[0]]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
