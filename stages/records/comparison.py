"""Two paths side by side, as `docs/retrieval-eval/comparison.json` holds it."""

from typing import Literal

from stages.records.ranking import State
from stages.records.record import Record
from stages.records.scored import METRIC_SEMANTICS, Mean

Mark = Literal["same", "moved", "new", "lost"]


class Readiness(Record):
    """Whether a path answered when it was last asked, and when its recordings were made."""

    status: Literal["ready", "degraded", "unavailable"]
    code: str | None
    reason: str | None
    captured_at: str | None


class Difference(Record):
    """A field which the same thing found has differently on the two sides."""

    field: str
    left: str | None
    right: str | None


class Found(Record):
    """One candidate, as short as a reader can know it by; the recording has the rest."""

    rank: int
    name: str
    chunk_id: str | None
    score: float | None
    score_label: str | None


class AlignedPair(Record):
    """One thing found: on both sides with the rule that says it is the same, or on one side only.

    `score_change` is null unless both paths declare the same kind of score.
    """

    mark: Mark
    rule: str | None
    left: Found | None
    right: Found | None
    differences: tuple[Difference, ...] = ()
    score_change: float | None = None


class CasePair(Record):
    """One case on both sides. `outcome` is null for a case that is left out, or has no level on either side.

    `left_out` says why a case is in no count; then nothing is aligned, and `review` names what the left side
    found, or else the right.
    """

    case_id: str
    scenario: str
    query: str
    left_state: State
    right_state: State
    left_out: str | None
    outcome: Literal["win", "loss", "draw", "regression"] | None
    left_level: str
    right_level: str
    left_first_hit: int | None
    right_first_hit: int | None
    overlap_at_k: float | None
    jaccard_at_k: float | None
    rank_biased_overlap: float | None
    aligned: tuple[AlignedPair, ...]
    review: tuple[str, ...]


class Transition(Record):
    """Cases which went from one hit level to another."""

    left: str
    right: str
    cases: tuple[str, ...]


class LeftOut(Record):
    """Cases which one side did not run, dropped on both."""

    reason: str
    cases: tuple[str, ...]


class MetricPair(Record):
    """Means over the cases that both sides have a value for."""

    metric: str
    left: float | None
    right: float | None
    change: float | None
    n: int


class Tally(Record):
    """Wins, ties and losses of the right side, and the exact sign test over them; a regression is a loss, too."""

    wins: int
    ties: int
    losses: int
    regressions: int
    p_two_sided: float
    resolution: str


class Comparison(Record):
    """The whole comparison: the left path (or its stand-in) against the right path."""

    metric_semantics: int = METRIC_SEMANTICS
    readiness: dict[str, Readiness]
    left: str
    right: str
    stand_in: str | None
    top_k: int
    compared: int
    left_out: tuple[LeftOut, ...]
    tally: Tally
    transitions: tuple[Transition, ...]
    metrics: tuple[MetricPair, ...]
    similarity: dict[str, Mean]
    scores: str
    cases: tuple[CasePair, ...]
