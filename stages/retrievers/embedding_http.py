"""Embeddings from any server that speaks the OpenAI-compatible `POST /v1/embeddings`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stages.retrievers.embedder import Role, Vectors, checked_vectors
from stages.retrievers.json_service import JsonService


@dataclass(frozen=True)
class HttpEmbedder:
    """A model behind HTTP.

    Attributes:
        service: Where it is.
        model: The model's name as the server knows it.
        dimensions: Asked for and then insisted on (some servers ignore the wish); None takes what comes.
        batch: Texts in one request.
        query_prefix: Put before each query; E5 wants `query: `.
        passage_prefix: Put before each passage; E5 wants `passage: `.
        input_type: Also send the role as `input_type`, for servers that add the prefix themselves.
    """

    service: JsonService
    model: str
    dimensions: int | None = None
    batch: int = 64
    query_prefix: str = ""
    passage_prefix: str = ""
    input_type: bool = False

    def identity(self) -> dict[str, Any]:
        """Return what the vectors depend on; a server does not tell the digest of its weights."""
        return {
            "name": self.model,
            "version": None,
            "digest": None,
            "dimensions": self.dimensions,
            "query_prefix": self.query_prefix,
            "passage_prefix": self.passage_prefix,
            "input_type": self.input_type,
        }

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row a text, in order; nothing is asked for no texts.

        Raises:
            EngineFailure: as `JsonService.post`; an answer of another count, dimension or shape.
        """
        if not texts:
            return np.zeros((0, self.dimensions or 0), dtype=np.float32)
        parts = [
            self._embed_batch(texts[start : start + self.batch], role) for start in range(0, len(texts), self.batch)
        ]
        return checked_vectors([row for part in parts for row in part], len(texts), self.dimensions)

    def _embed_batch(self, texts: Sequence[str], role: Role) -> Vectors:
        prefix = self.query_prefix if role == "query" else self.passage_prefix
        body: dict[str, Any] = {"model": self.model, "input": [prefix + text for text in texts]}
        body["encoding_format"] = "float"
        if self.dimensions is not None:
            body["dimensions"] = self.dimensions
        if self.input_type:
            body["input_type"] = role
        answer = self.service.post(body)
        return checked_vectors(self._in_order(answer, len(texts)), len(texts), self.dimensions)

    def _in_order(self, answer: Any, count: int) -> list[Any]:
        """Return the vectors by their `index`: servers may answer out of order."""
        data = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            raise self.service.failure("bad_answer", "the embedder's answer has no list `data` of objects")
        if len(data) != count:
            return [item.get("embedding") for item in data]
        indexes = [item.get("index") for item in data]
        if any(type(index) is not int for index in indexes) or sorted(indexes) != list(range(count)):
            raise self.service.failure(
                "bad_answer", f"the embedder's answer does not have each index 0..{count - 1} once"
            )
        return [item.get("embedding") for item in sorted(data, key=lambda item: item["index"])]
