"""The knowledge base's stored aggregates of one run."""

from typing import Annotated

from pydantic import Field

from stages.records.record import Record

# JSON writes every key as a text.
K = Annotated[int, Field(strict=False)]
ByK = dict[K, float | None]


class Aggregates(Record):
    """Means of one run, as that evaluator stores them; a map is keyed by k, and null means nothing to average.

    Files from before `precision_at_k_chunk` was measured read as empty there; every other field that is absent
    is None. `total_queries` and `failed_queries` are counts.
    """

    hit_at_k: ByK = Field(default_factory=dict)
    mrr: float | None = None
    recall_at_k_doc: ByK = Field(default_factory=dict)
    precision_at_k_chunk: ByK = Field(default_factory=dict)
    citation_coverage: float | None = None
    groundedness: float | None = None
    empty_result_rate: float | None = None
    refusal_correctness: float | None = None
    total_queries: int | None = None
    failed_queries: int | None = None
