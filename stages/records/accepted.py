"""The ledger of known failures: `data/accepted.yaml`."""

from datetime import date
from typing import Literal

from pydantic import Field

from stages.records.golden import CaseId, Text
from stages.records.record import Record

AcceptedLevel = Literal["medium", "miss", "removed"]


class AcceptedCase(Record):
    """A case which may be as weak as `level` until a date, and why."""

    case: CaseId
    level: AcceptedLevel = Field(description="The weakest level that is accepted, or removed")
    reason: Text
    until: date = Field(description="The last day on which the entry counts")


class AcceptedFile(Record):
    """The ledger, sorted by case id."""

    accepted: tuple[AcceptedCase, ...] = ()
