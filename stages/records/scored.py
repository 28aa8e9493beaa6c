"""What the score stages hand on: every case with its level, its reasons and its metrics, and the aggregates."""

from typing import Literal

from stages.records.ranking import State
from stages.records.record import Record
from stages.records.recording import PathState
from stages.records.yardstick import Yardstick

Level = Literal["strong", "medium", "miss"]
METRIC_SEMANTICS = 1


class FailedCheck(Record):
    """One reason why a case is not strong: a code for programs, a sentence for people."""

    code: str
    message: str


class MatchedExpectation(Record):
    """An expectation, and where it was first met within topK; `rank` and `rule` are None where it was not."""

    document: str
    section: str | None
    relevance: int
    rank: int | None
    rule: str | None
    document_rank: int | None


class TopCandidate(Record):
    """What a report shows of a candidate. `relevance` is None for an unjudged one."""

    rank: int
    doc_id: str | None
    title: str | None
    section: str | None
    chunk_id: str | None
    score: float | None
    score_label: str | None
    relevance: int | None


class ScoredCase(Record):
    """One case on one path.

    `level` is None for a case that was not scored (`state` says why) and for `expected: none`.
    `first_expected_rank` is the rank of the first candidate of an expected document within topK, `first_hit_rank`
    that of the first hit at the primary grain. `metrics` are keyed by the mean which they enter: under `mrr` stands
    the reciprocal rank, under `average_first_hit_rank` the first hit rank.
    `false_positives` counts candidates above the path's relevance floor for `expected: none`, else None.
    """

    case_id: str
    scenario: str
    fault_type: str | None
    lang: str | None
    tags: tuple[str, ...]
    query: str
    answerable: bool
    state: State | Literal["unwinnable"]
    code: str | None
    reason: str | None
    degraded: str | None
    level: Level | None
    first_expected_rank: int | None
    first_hit_rank: int | None = None
    keyword_coverage: float | None
    expectations: tuple[MatchedExpectation, ...]
    failed_checks: tuple[FailedCheck, ...]
    false_positives: int | None
    top: tuple[TopCandidate, ...]
    metrics: dict[str, float | None]


class Mean(Record):
    """A mean with what it was taken over; `value` is None where there was nothing to average."""

    value: float | None
    n: int


class Aggregate(Record):
    """Counts and means over a group of cases. `scored` are the answerable cases that have a level."""

    cases: int
    scored: int
    strong: int
    medium: int
    miss: int
    not_run: int
    error: int
    unavailable: int
    unwinnable: int
    no_answer: int
    metrics: dict[str, Mean]


class Grouping(Record):
    """Aggregates by one property of the cases, such as `fault_type`; groups sorted by name."""

    by: str
    groups: dict[str, Aggregate]


class ScoredPath(Record):
    """All cases of one path, sorted by id, with the aggregates: the machine-readable result."""

    metric_semantics: int = METRIC_SEMANTICS
    path: str
    yardstick: Yardstick
    state: PathState
    overall: Aggregate
    groupings: tuple[Grouping, ...]
    orphans: tuple[str, ...]
    cases: tuple[ScoredCase, ...]
