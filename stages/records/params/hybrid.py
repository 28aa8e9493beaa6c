"""Parameters of the hybrid: how the recorded arms are fused."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from stages.records.record import Record

FusionMethod = Literal["rrf", "min_max", "z_score"]
Weight = Annotated[float, Field(ge=0, le=1000, strict=True)]


class HybridWeights(Record):
    """How much each arm counts; an arm of weight 0 is not asked at all."""

    bm25: Weight
    milvus: Weight

    @model_validator(mode="after")
    def _one_counts(self) -> "HybridWeights":
        if not self.bm25 + self.milvus:
            raise ValueError("both weights are 0, so nothing would be found")
        return self


class HybridParams(Record):
    """Fusion by rank (rrf) or by scores brought to one scale (min_max, z_score)."""

    method: FusionMethod
    rrf_k: float = Field(ge=0, le=100_000, strict=True, description="RRF: how little the first ranks stand out")
    depth: int = Field(ge=1, le=1000, strict=True, description="Candidates read from each arm, and recorded")
    weights: HybridWeights


class HybridSection(Record):
    """The section of params.yaml about the hybrid."""

    hybrid: Annotated[
        HybridParams,
        Field(
            description="hybrid takes method (rrf, min_max or z_score), rrf_k (from 0), depth (1 to 1000) and weights "
            "(bm25 and milvus, from 0, not both 0)"
        ),
    ]
