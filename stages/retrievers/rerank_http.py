"""A reranker behind HTTP, in the form that Cohere, Jina and many others share, or in that of TEI."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from stages.retrievers.json_service import JsonService

DIGITS = 6


@dataclass(frozen=True)
class HttpReranker:
    """A model which scores documents against a query.

    Attributes:
        service: Where it is.
        model: The model's name as the server knows it.
        form: `cohere` asks with `documents` and `top_n` (Cohere, Jina, vLLM, ...); `tei` asks with `texts` and gets
            all of them back. Answers of both forms are understood either way.
    """

    service: JsonService
    model: str
    form: Literal["cohere", "tei"] = "cohere"

    def identity(self) -> dict[str, Any]:
        """Return what the scores depend on, as far as it can be known."""
        return {"name": self.model, "form": self.form}

    def rerank(self, query: str, documents: Sequence[str], top_n: int) -> list[tuple[int, float]]:
        """Return (index of the document, relevance score) of the `top_n` best, best first.

        Scores are rounded to 6 digits; equal ones keep the order of the documents.

        Raises:
            EngineFailure: as `JsonService.post`; `reranker_bad_answer` or `reranker_wrong_count` for an answer that
                does not score each document once.
        """
        if not documents:
            return []
        wanted = min(top_n, len(documents))
        pairs = [
            self._pair(item, len(documents))
            for item in self._items(self.service.post(self._body(query, documents, wanted)))
        ]
        if len({index for index, _ in pairs}) != len(pairs):
            raise self.service.failure("bad_answer", "the reranker scored one document twice")
        if len(pairs) < wanted:
            raise self.service.failure(
                "wrong_count", f"the reranker scored {len(pairs)} documents where {wanted} were wanted"
            )
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:wanted]

    def _body(self, query: str, documents: Sequence[str], top_n: int) -> dict[str, Any]:
        if self.form == "tei":
            return {"query": query, "texts": list(documents), "truncate": True}
        return {
            "model": self.model,
            "query": query,
            "documents": list(documents),
            "top_n": top_n,
            "return_documents": False,
        }

    def _items(self, answer: Any) -> list[Any]:
        items = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
        if not isinstance(items, list):
            raise self.service.failure("bad_answer", "the reranker's answer has no list of results")
        return items

    def _pair(self, item: Any, count: int) -> tuple[int, float]:
        index = item.get("index") if isinstance(item, dict) else None
        score = item.get("relevance_score", item.get("score")) if isinstance(item, dict) else None
        if type(index) is not int or not 0 <= index < count:
            raise self.service.failure(
                "bad_answer", f"the reranker's answer has the index {index!r} for {count} documents"
            )
        if not isinstance(score, (int, float)) or isinstance(score, bool) or not math.isfinite(score):
            raise self.service.failure("bad_answer", f"the reranker's answer has the score {score!r}")
        return index, round(float(score), DIGITS) + 0.0
