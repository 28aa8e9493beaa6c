"""Parameters of the live acceptance."""

from typing import Annotated

from pydantic import Field

from stages.records.record import Record

Limit = Annotated[float, Field(ge=0)]


class LiveParams(Record):
    """When the live path is accepted, and how much of each answer the report shows."""

    criteria: dict[str, Limit] = Field(
        description="live.criteria takes a metric and its floor, or max_not_run and the like and a count"
    )
    max_regressions: int | None = Field(ge=0, description="Cases that the baseline hits and live misses; null: any")
    shown_results: int = Field(ge=1, le=100, description="Results of a case that the report shows")


class AcceptanceParams(Record):
    """The section of params.yaml that the acceptance reads."""

    live: Annotated[LiveParams, Field(description="live takes criteria, max_regressions and shown_results")]
