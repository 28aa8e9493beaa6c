"""How an answer of BM25 is obtained."""

from typing import Any

from stages.records.params.bm25 import Bm25Params


def bm25_provenance(params: Bm25Params, digest: str) -> dict[str, Any]:
    """Engine, parameters and corpus; no versions of packages, which the lock file knows."""
    return {"engine": "bm25", "formula": "lucene", "corpus_digest": digest, "params": params.model_dump(mode="json")}
