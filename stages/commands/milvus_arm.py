"""Milvus over a corpus, ready to be asked: the collection is there and the queries are embedded on the way."""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from stages.commands.embedding import CachedEmbedder, cached_embedder
from stages.core.analyser import analyse
from stages.core.chunk_text import chunk_text
from stages.core.corpus_digest import corpus_digest
from stages.core.index_terms import chunk_terms
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params
from stages.records.params.embedder import EmbedderParams
from stages.records.params.milvus import MilvusParams
from stages.retrievers.bm25 import Bm25Index
from stages.retrievers.milvus import search_dense, search_sparse
from stages.retrievers.milvus_collection import (
    INDEX_OF,
    Collection,
    CollectionPlan,
    IndexRows,
    ensure_collection,
)
from stages.retrievers.milvus_session import open_milvus
from stages.retrievers.milvus_target import MilvusTarget

LAYOUT = 1


@dataclass(frozen=True)
class ArmParams:
    """All parameters that decide what Milvus answers."""

    milvus: MilvusParams
    embedder: EmbedderParams
    bm25: Bm25Params


@dataclass(frozen=True)
class MilvusArm:
    """Milvus with the collection of one corpus.

    Attributes:
        provenance: How its answers are obtained; no host, no clock, no secret.
        built: Whether the collection had to be built.
    """

    params: ArmParams
    collection: Collection
    embedder: CachedEmbedder
    index: Bm25Index
    provenance: dict[str, Any]

    @property
    def built(self) -> bool:
        """Whether the collection had to be built."""
        return self.collection.built

    def search(self, query: str, depth: int | None = None) -> list[tuple[str, float]]:
        """Return (chunk id, score) of the best chunks, `milvus.depth` of them where `depth` is not given.

        Raises:
            EngineFailure: Milvus or the embedder could not answer.
        """
        milvus, deep = self.params.milvus, depth or self.params.milvus.depth
        if milvus.search == "sparse":
            weights = _shifted(self.index.query_weights(analyse(query, self.params.bm25.identifier_parts)))
            hits = search_sparse(self.collection, weights, deep, milvus.filter)
        else:
            vector = self.embedder.embed([query], "query")[0]
            hits = search_dense(self.collection, vector, deep, milvus.filter)
        return [(hit.chunk_id, hit.score) for hit in hits]


@contextmanager
def open_milvus_arm(params: ArmParams, chunks: Sequence[Chunk]) -> Iterator[MilvusArm]:
    """Connect, and build the collection of `chunks` where it is missing or stale.

    Raises:
        EngineFailure: whatever is wrong with Milvus or the embedder.
    """
    milvus = params.milvus
    embedder = cached_embedder(params.embedder)
    digest = corpus_digest(chunks)
    index = Bm25Index(
        {chunk.chunk_id: chunk_terms(chunk, params.bm25) for chunk in chunks}, params.bm25.k1, params.bm25.b
    )
    rows = _rows(params, chunks, embedder, index)
    plan = CollectionPlan(milvus.collection, _content_digest(params, embedder, digest), milvus.when_stale)
    with open_milvus(MilvusTarget(milvus.uri, milvus.token_env, milvus.timeout_s)) as session:
        collection = ensure_collection(session, plan, rows)
        provenance = _provenance(params, embedder, digest, session.version)
        yield MilvusArm(params, collection, embedder, index, provenance)
    if embedder.damaged:
        print(f"{embedder.damaged} cached vectors were damaged, and were made anew", file=sys.stderr)


def _rows(params: ArmParams, chunks: Sequence[Chunk], embedder: CachedEmbedder, index: Bm25Index) -> IndexRows:
    weights = index.document_weights()
    return IndexRows(
        texts=[_text_fields(chunk) for chunk in chunks],
        dense=embedder.embed([chunk_text(chunk, params.milvus.index_fields) for chunk in chunks], "passage"),
        sparse=[_shifted(weights[chunk.chunk_id]) for chunk in chunks],
    )


def _text_fields(chunk: Chunk) -> dict[str, str]:
    fields = {"chunk_id": chunk.chunk_id, "doc_id": chunk.doc_id}
    return fields | {"section": chunk.section or "", "category": chunk.category or "", "lang": chunk.lang or ""}


def _shifted(weights: Mapping[int, float]) -> dict[int, float]:
    """Number terms from 1: the collection keeps 0 for chunks without a term."""
    return {term + 1: weight for term, weight in weights.items()}


def _content_digest(params: ArmParams, embedder: CachedEmbedder, digest: str) -> str:
    """Return a digest of everything that the rows are made from."""
    bm25 = params.bm25.model_dump(mode="json", exclude={"depth"})
    parts = [LAYOUT, digest, embedder.identity, embedder.place, list(params.milvus.index_fields), bm25]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _provenance(params: ArmParams, embedder: CachedEmbedder, digest: str, version: str) -> dict[str, Any]:
    milvus = params.milvus
    kind, metric = INDEX_OF[milvus.search]
    made_by = (
        {"embedder": embedder.identity} if milvus.search == "dense" else {"bm25": params.bm25.model_dump(mode="json")}
    )
    return {
        "engine": "milvus",
        "version": version,
        "search": milvus.search,
        "index": kind,
        "metric": metric,
        **made_by,
        "corpus_digest": digest,
        "params": {"depth": milvus.depth, "filter": milvus.filter, "index_fields": list(milvus.index_fields)},
    }
