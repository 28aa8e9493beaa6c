"""What a threshold says of a result."""

from typing import Literal

from stages.records.record import Record


class ThresholdCheck(Record):
    """One floor or limit with the value it was held against; `reachable` is false when no k/n can meet a floor."""

    rule: str
    value: float | None
    n: int
    limit: float
    verdict: Literal["pass", "fail"]
    message: str
