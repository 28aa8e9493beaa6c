"""Parameters of the gate."""

from typing import Annotated, Literal

from pydantic import Field

from stages.records.params.report import Floor, ReportParams
from stages.records.record import Record

Limit = Annotated[int, Field(strict=True, ge=0)] | None
Property = Literal["scenario", "fault_type", "lang", "tag"]


class GateSection(Record):
    """The rules beside the thresholds. A limit of null switches its rule off."""

    max_strong_drops: Limit = Field(description="Strong cases of BASE that may be weaker now")
    max_regressions: Limit = Field(description="Hits of BASE that may be misses now")
    max_losses: Limit = Field(description="Cases that may have a lower level or a later first hit")
    max_removed: Limit = Field(description="Cases that may leave the golden set; more is inconclusive")
    max_drop: dict[str, Floor] = Field(
        description="Metric to the largest fall of its sum over the common cases: 1 is one whole case"
    )
    keep_last_strong: tuple[Property, ...] = Field(
        description="Properties of which no value may lose its last strong case"
    )
    group_floors: dict[Property, dict[str, Floor]] = Field(description="Property to metric to the floor of each group")
    unjudged_drops: Literal["inconclusive", "fail"] = Field(
        description="What a drop is that candidates nobody judged would undo"
    )
    inconclusive_exit_code: int = Field(strict=True, ge=0, le=125, description="Exit code of an inconclusive gate")


class GateParams(ReportParams):
    """The sections of params.yaml that the gate reads."""

    gate: Annotated[GateSection, Field(description="gate takes the rules of docs/review.md")]
