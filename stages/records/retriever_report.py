"""The report on retrievers: `retrievers.json`. Everything in it counts by document and section."""

from typing import Any, Literal

from pydantic import Field

from stages.records.record import Record
from stages.records.scored import Mean

RetrieverStatus = Literal["ok", "degraded", "failed", "not_run"]
MissCode = Literal["nothing_retrieved", "partial_recall", "wrong_section", "wrong_document"]
Verdict = Literal["better", "mixed", "no_better", "incomparable"]


class RetrieverRow(Record):
    """One retriever; `means` is empty where it has no result, and never holds a zero in its place."""

    name: str
    status: RetrieverStatus
    code: str | None
    reason: str | None
    warnings: tuple[str, ...]
    means: dict[str, Mean]
    misses: dict[str, int] = Field(description="Reason of a miss to the number of cases")
    provenance: dict[str, Any]


class MetricComparison(Record):
    """One measure over the common cases; more than one name in `best` is a tie."""

    metric: str
    values: dict[str, float]
    best: tuple[str, ...]


class Duel(Record):
    """The hybrid against one arm, case by case: more recall wins, then the earlier first hit."""

    arm: str
    wins: tuple[str, ...]
    losses: tuple[str, ...]
    draws: int
    p_two_sided: float


class Comparison(Record):
    """The retrievers over the cases that all of them have a result for."""

    compared: tuple[str, ...]
    cases: int
    metrics: tuple[MetricComparison, ...]
    duels: tuple[Duel, ...]
    verdict: Verdict
    sentence: str


class FaultTypeRow(Record):
    """One fault type over the common cases: retriever to measure to mean."""

    fault_type: str
    cases: int
    values: dict[str, dict[str, float]]
    best_recall: tuple[str, ...]
    best_mrr: tuple[str, ...]


class CaseOutcome(Record):
    """What one retriever made of a case; the numbers are None where the case was not scored."""

    state: str
    first_hit_rank: int | None
    recall: float | None


class CaseDetail(Record):
    """One answerable case on every retriever."""

    case_id: str
    fault_type: str | None
    query: str
    expected: tuple[str, ...]
    outcomes: dict[str, CaseOutcome]


class MissCase(Record):
    """A case that is not hit, or whose recall is below 1, on one retriever."""

    retriever: str
    case_id: str
    fault_type: str | None
    code: MissCode
    message: str
    missing: tuple[str, ...]
    retrieved: tuple[str, ...]


class Suggestion(Record):
    """What a rule found, what may be done about it, and the cases that it was found in."""

    rule: str
    finding: str
    remedy: str
    cases: tuple[str, ...]


class RetrieverReport(Record):
    """Retrievers in a fixed order, cases sorted by id."""

    metric_semantics: int
    top_k: int
    cutoffs: tuple[int, ...]
    case_count: int
    answerable: int
    retrievers: tuple[RetrieverRow, ...]
    comparison: Comparison
    fault_types: tuple[FaultTypeRow, ...]
    cases: tuple[CaseDetail, ...]
    misses: tuple[MissCase, ...]
    suggestions: tuple[Suggestion, ...]
