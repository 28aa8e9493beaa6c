"""One measure of the same cases before and after: who won, who lost, and by how much."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

# Values are shares of small counts; what differs by less than this differs by rounding only.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class PairedDifferences:
    """The cases which have a value on both sides.

    Attributes:
        differences: After less before, sorted by case id; what is within the tolerance is exactly 0.
        wins: Cases that rose.
        losses: Cases that fell.
        ties: Cases that stayed.
        left_out: Cases with a value on one side only, or on none: in no count.
        mean: Mean difference; None without a case.
    """

    differences: tuple[float, ...]
    wins: tuple[str, ...]
    losses: tuple[str, ...]
    ties: tuple[str, ...]
    left_out: tuple[str, ...]
    mean: float | None


def pair(before: Mapping[str, float | None], after: Mapping[str, float | None]) -> PairedDifferences:
    """Pair the values of one measure by case id."""
    differences: dict[str, float] = {}
    left_out: list[str] = []
    for case_id in sorted(before.keys() | after.keys()):
        one, other = before.get(case_id), after.get(case_id)
        if one is None or other is None:
            left_out.append(case_id)
        else:
            differences[case_id] = 0.0 if abs(other - one) <= TOLERANCE else other - one
    return PairedDifferences(
        differences=tuple(differences.values()),
        wins=tuple(case_id for case_id, change in differences.items() if change > 0),
        losses=tuple(case_id for case_id, change in differences.items() if change < 0),
        ties=tuple(case_id for case_id, change in differences.items() if change == 0),
        left_out=tuple(left_out),
        mean=mean(tuple(differences.values())),
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean, or None of nothing."""
    return fsum(values) / len(values) if values else None
