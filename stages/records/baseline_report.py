"""The report of one path: `baseline.json`."""

from typing import Literal

from stages.records.record import Record
from stages.records.recording import PathState
from stages.records.scored import Aggregate, FailedCheck, Grouping, Level
from stages.records.thresholds import ThresholdCheck
from stages.records.yardstick import Yardstick


class ReportedCase(Record):
    """One case in short; `cases.jsonl` has everything. `top` are the labels of the first topK candidates."""

    case_id: str
    scenario: str
    fault_type: str | None
    query: str
    state: str
    reason: str | None
    level: Level | None
    first_expected_rank: int | None
    first_hit_rank: int | None
    failed_checks: tuple[FailedCheck, ...]
    top: tuple[str, ...]


class BaselineReport(Record):
    """Verdict first, then the numbers, then the cases sorted by id."""

    metric_semantics: int
    path: str
    verdict: Literal["pass", "fail"]
    thresholds: tuple[ThresholdCheck, ...]
    state: PathState
    yardstick: Yardstick
    overall: Aggregate
    groupings: tuple[Grouping, ...]
    orphans: tuple[str, ...]
    cases: tuple[ReportedCase, ...]
