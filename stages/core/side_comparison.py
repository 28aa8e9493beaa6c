"""Both sides scored, with the steps between them: what all parts of a review look at."""

from collections.abc import Mapping
from dataclasses import dataclass

from stages.core.case_outcome import outcome
from stages.core.exchange_steps import Steps, score_sides, score_steps
from stages.core.spoken import differs, spoken_cases
from stages.records.scored import ScoredCase
from stages.records.side import Side


@dataclass(frozen=True)
class Comparison:
    """Two sides of one path.

    Attributes:
        old: The side of BASE.
        new: The side to be merged.
        spoken: The cases of the old side as its own evaluator reported them.
        scored: The cases of the new side, by the present evaluator.
        steps: The compared cases (scored on both sides) by the present evaluator, after 0, 1, 2 and 3 exchanged
            factors; of two reports only old and new are known.
        notes: What a reader must know before the numbers.
    """

    old: Side
    new: Side
    spoken: Mapping[str, ScoredCase]
    scored: Mapping[str, ScoredCase]
    steps: Steps
    notes: tuple[str, ...] = ()

    @property
    def common(self) -> list[str]:
        """Ids of the golden cases that both sides have, sorted."""
        return sorted(self.old.cases.keys() & self.new.cases.keys())

    @property
    def compared(self) -> dict[str, ScoredCase]:
        """The compared cases as the old evaluator reported them."""
        return {id_: self.spoken[id_] for id_ in self.steps[0]}

    @property
    def mixed(self) -> bool:
        """Whether the mixtures are known, so that a change can be attributed."""
        return len(self.steps) > 2  # noqa: PLR2004 - more than old and new

    @property
    def evaluator_differs(self) -> list[str]:
        """Ids of the compared cases of which BASE's report does not say what the present evaluator says."""
        return [id_ for id_, case in self.steps[0].items() if differs(self.spoken[id_], case)]


def compare_sides(old: Side, new: Side) -> Comparison:
    """Score both sides and the steps between them; what their committed reports say counts where it can be believed."""
    before, after = score_sides(old, new)
    spoken, notes = spoken_cases(old, before)
    said, new_notes = spoken_cases(new, after)
    stale = [id_ for id_, case in after.items() if differs(said[id_], case)]
    if stale or new_notes:
        notes.append(f"{new.name}: the committed report is not what its evaluator says now: run `dvc repro`")
    ids = [id_ for id_ in sorted(before.keys() & after.keys()) if _both_scored(before[id_], after[id_])]
    return Comparison(old, new, spoken, after, score_steps(old, new, (before, after), ids), tuple(notes))


def compare_scored(
    old: Side, new: Side, spoken: Mapping[str, ScoredCase], scored: Mapping[str, ScoredCase]
) -> Comparison:
    """Compare two reports: what was scored stands, and no mixture of them is known."""
    ids = [id_ for id_ in sorted(spoken.keys() & scored.keys()) if _both_scored(spoken[id_], scored[id_])]
    steps = [{id_: side[id_] for id_ in ids} for side in (spoken, scored)]
    return Comparison(old, new, spoken, scored, steps)


def _both_scored(old: ScoredCase, new: ScoredCase) -> bool:
    return outcome(old, new) is not None
