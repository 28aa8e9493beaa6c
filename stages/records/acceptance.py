"""The acceptance of the live path, as `docs/retrieval-eval/live/acceptance.json` holds it."""

from typing import Any, Literal

from stages.records.record import Record
from stages.records.recording import PathState
from stages.records.scored import METRIC_SEMANTICS, Aggregate
from stages.records.thresholds import ThresholdCheck

Verdict = Literal["accepted", "not_accepted", "inconclusive"]
Agreement = Literal["same", "reordered", "changed", "only_live", "only_recorded", "neither"]


class Reconciled(Record):
    """Live against recorded, by what was found: `new` only live has, `missing` only the recording has.

    `reordered`: the same results in another order. `changed`: there is something new or missing.
    """

    agreement: Agreement
    new: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class ShownResult(Record):
    """One result as a reviewer sees it."""

    rank: int
    name: str
    title: str | None
    source: str | None
    score: float | None
    score_label: str | None


class LiveCase(Record):
    """One case of the acceptance; `level` stands for a state where there is no level."""

    case_id: str
    query: str
    level: str
    recorded_level: str
    reason: str | None
    requested: int | None
    returned: int | None
    results: tuple[ShownResult, ...]
    reconciled: Reconciled
    raw: Any


class IndexChange(Record):
    """Whether the metadata of the index changed since the last capture; `warning` where that must be looked at."""

    before: list[Any]
    now: list[Any]
    before_captured_at: str | None
    warning: str | None


class Acceptance(Record):
    """The whole report; `inconclusive` means that live did not answer, or that nothing was scored."""

    metric_semantics: int = METRIC_SEMANTICS
    verdict: Verdict
    state: PathState
    top_k: int
    index: IndexChange
    criteria: tuple[ThresholdCheck, ...]
    agreement: dict[str, int]
    overall: Aggregate
    cases: tuple[LiveCase, ...]
