"""Parameters of the audit of the golden set."""

from typing import Annotated

from pydantic import Field

from stages.records.params.gate import GateParams
from stages.records.params.score import ScoreParams
from stages.records.record import Record

Count = Annotated[int, Field(strict=True, ge=1, le=100)]


class AuditSection(Record):
    """How hard the damage is, and what a group of cases should have."""

    keep: Count = Field(description="truncate: how many candidates are left")
    shift: Count = Field(description="shift_ranks: how many unrelated candidates come before all others")
    min_cases: Count = Field(description="Cases that every fault type should have")


class AuditParams(ScoreParams, GateParams):
    """The sections of params.yaml that the audit reads: those of scoring and of the gate, and its own."""

    audit: Annotated[AuditSection, Field(description="audit takes keep, shift and min_cases")]
