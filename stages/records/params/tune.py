"""Parameters from which tuning starts."""

from typing import Annotated

from pydantic import Field

from stages.records.params.fuse import FuseParams
from stages.records.params.score import HitLevelParams


class TuneParams(FuseParams):
    """The sections of params.yaml that tuning reads: the current hybrid and reranker, and the headline grain."""

    hit_levels: Annotated[HitLevelParams, Field(description="hit_levels takes min_keyword_coverage and primary_grain")]
