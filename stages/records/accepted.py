"""The ledger of known failures: `data/accepted.yaml`."""

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from stages.records.golden import CaseId, Text
from stages.records.record import Record

AcceptedLevel = Literal["medium", "miss", "removed"]


def _only_a_day(value: object) -> object:
    """Refuse what pydantic would take too: seconds since 1970, and a day with a time."""
    if isinstance(value, date) or (isinstance(value, str) and re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value)):
        return value
    raise PydanticCustomError("day", "no day such as 2026-01-31")


Day = Annotated[
    date, BeforeValidator(_only_a_day), Field(json_schema_extra={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
]


class AcceptedCase(Record):
    """A case which may be as weak as `level` until a date, and why."""

    case: CaseId
    level: AcceptedLevel = Field(description="The weakest level that is accepted, or removed")
    reason: Text
    until: Day = Field(description="The last day on which the entry counts")


class AcceptedFile(Record):
    """The ledger, sorted by case id."""

    accepted: tuple[AcceptedCase, ...] = ()
