"""A change to a golden file, told by place and not by line, so that everything else stays as it was written."""

from dataclasses import dataclass
from typing import Any, Literal

from stages.records.located_case import Location


@dataclass(frozen=True)
class GoldenEdit:
    """One change within one case.

    `replace` writes `value` where `location` points; `insert` writes it as a new item after the list item at
    `location`; `append` as the last item of the list at `location`; `remove` takes the list item at `location` out.
    """

    file: str
    case_id: str
    location: Location
    action: Literal["replace", "insert", "append", "remove"]
    value: Any = None
