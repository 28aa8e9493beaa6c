"""The review of a change: what became of each case, why, and what of each number is whose doing."""

from typing import Literal

from pydantic import Field

from stages.records.gate import GateResult, Verdict
from stages.records.record import Record
from stages.records.scored import Level


class Attribution(Record):
    """One mean over the compared cases on both sides, and its change in parts; None where there is no mean."""

    old: float | None
    new: float | None
    n: int
    retriever: float | None = None
    labels: float | None = None
    yardstick: float | None = None
    total: float | None = None


class Cause(Record):
    """One reason for a transition: a code for programs, a sentence for people."""

    code: str
    message: str


class Transition(Record):
    """What became of one case. `old` and `new` are levels, or the states that stand in their place."""

    case_id: str
    old: str = Field(serialization_alias="from")
    new: str = Field(serialization_alias="to")
    outcome: Literal["win", "loss", "draw", "regression"] | None
    old_rank: int | None = None
    new_rank: int | None = None
    old_recall: float | None = Field(None, description="Recall at topK at the primary grain")
    new_recall: float | None = None
    causes: tuple[Cause, ...] = ()


class WeightChange(Record):
    """One arm of a hybrid with a smaller weight, and the level that it gives."""

    arm: str
    weight: float
    level: Level


class Counterfactual(Record):
    """What would recover a miss: the smallest topK, and the smallest change of a weight where arms were fused."""

    case_id: str
    top_k: int | None
    level: Level | None
    depth: int
    weight: WeightChange | None
    message: str


class GoldenChange(Record):
    """What happened to a golden case; the levels are those of the new ranking under both labels."""

    case_id: str
    kind: Literal["added", "removed", "relabelled"]
    details: tuple[str, ...]
    old_level: str | None
    new_level: str | None


class Inputs(Record):
    """What differs between the sides, counted."""

    recordings_changed: int
    recordings_renewed: int = Field(description="Other recordings with the same ranking")
    recordings_added: int
    recordings_removed: int
    parameters: tuple[str, ...] = Field(description="Parameters of scoring that differ, in words")
    path_state: str = Field(description="What became of the path, in words; empty where its status is the same")
    evaluator_differs: int = Field(description="Cases of which BASE's report says what the present evaluator does not")


class SideSummary(Record):
    """One side in short."""

    name: str
    cases: int
    scored: int
    top_k: int


class Review(Record):
    """Verdict first, then what changed; all lists sorted by case id."""

    verdict: Verdict
    path: str
    old: SideSummary
    new: SideSummary
    compared: int
    wins: int
    losses: int
    regressions: int
    draws: int
    p_one_sided: float = Field(description="Exact one-sided sign test: losses against wins")
    notes: tuple[str, ...] = Field(description="What a reader must know before the numbers")
    inputs: Inputs
    attribution: dict[str, Attribution]
    transitions: tuple[Transition, ...]
    golden: tuple[GoldenChange, ...]
    counterfactuals: tuple[Counterfactual, ...]
    cases: tuple[Transition, ...] = Field(description="Every common case, also those that did not change")
    gate: GateResult
