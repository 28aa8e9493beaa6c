"""The embedder that the parameters name, behind the cache of vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from stages.records.params.embedder import EmbedderParams, HttpEmbedderParams
from stages.retrievers.embedder import Embedder, Role, Vectors, checked_vectors
from stages.retrievers.embedding_http import HttpEmbedder
from stages.retrievers.embedding_local import LocalEmbedder
from stages.retrievers.json_service import JsonService
from stages.storage.vector_cache import read_vector, vector_key, write_vector

VECTORS = Path("data/build/vectors")
TEXTS_AT_ONCE = 64


def make_embedder(params: EmbedderParams) -> Embedder:
    """Return the bundled model, or the client of a server where `http` names one."""
    return LocalEmbedder(params.threads) if params.http is None else _http_embedder(params.http)


def _http_embedder(params: HttpEmbedderParams) -> HttpEmbedder:
    return HttpEmbedder(
        service=JsonService("embedder", params.url, params.api_key_env, params.timeout_s, params.retries),
        model=params.model,
        dimensions=params.dimensions,
        batch=params.batch,
        query_prefix=params.query_prefix,
        passage_prefix=params.passage_prefix,
        input_type=params.input_type,
    )


@dataclass
class CachedEmbedder:
    """An embedder which is asked for each text once.

    Attributes:
        embedder: What is asked.
        identity: What it calls itself.
        place: Keeps the vectors of two servers apart which call their models alike.
        folder: Where the vectors are kept.
        damaged: How many kept vectors were found damaged, and were made anew.
    """

    embedder: Embedder
    identity: dict[str, Any]
    place: str
    folder: Path = VECTORS
    damaged: int = 0

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row a text, in order; what was made is kept batch by batch, so that a cut-off run goes on.

        Raises:
            EngineFailure: as the embedder; servers that changed the dimension under the same name are refused.
        """
        keys = [vector_key({**self.identity, "place": self.place}, role, text) for text in texts]
        kept = {key: self._kept(key) for key in dict.fromkeys(keys)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if kept[key] is None}
        for batch in self._batches(list(missing)):
            made = self.embedder.embed([missing[key] for key in batch], role)
            for key, vector in zip(batch, made, strict=True):
                write_vector(self.folder, key, vector)
                kept[key] = vector
        return self._stacked([kept[key] for key in keys])

    def _kept(self, key: str) -> Vectors | None:
        try:
            return read_vector(self.folder, key)
        except ValueError:
            self.damaged += 1
            return None

    def _batches(self, keys: list[str]) -> "tqdm[list[str]]":
        batches = [keys[start : start + TEXTS_AT_ONCE] for start in range(0, len(keys), TEXTS_AT_ONCE)]
        return tqdm(batches, desc="embedding", unit="batch", disable=None if len(batches) > 1 else True)

    def _stacked(self, rows: Sequence[Vectors | None]) -> Vectors:
        return checked_vectors(rows, len(rows), self.identity["dimensions"]) if rows else np.zeros((0, 0), np.float32)


def cached_embedder(params: EmbedderParams, folder: Path = VECTORS) -> CachedEmbedder:
    """Return the embedder of the parameters behind the cache in `folder`.

    Raises:
        EngineFailure: the bundled model is wanted and not installed.
    """
    embedder = make_embedder(params)
    return CachedEmbedder(embedder, embedder.identity(), params.http.url if params.http else "", folder)
