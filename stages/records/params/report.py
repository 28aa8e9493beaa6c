"""Parameters of the report stage and of the gate."""

from typing import Annotated

from pydantic import Field

from stages.records.record import Record

Floor = Annotated[float, Field(ge=0)]


class ReportParams(Record):
    """The floors and limits which decide the verdict: a metric and its floor, or `max_<count>` and a count."""

    thresholds: Annotated[
        dict[str, Floor], Field(description="thresholds takes a metric and its floor, or max_not_run and a count")
    ]
