"""The change of a number, split among what changed: parts that add up to the whole."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from stages.core.corners import CORNERS, FACTORS, NEW, OLD, Corner, Corners, exchanged
from stages.records.review import Attribution
from stages.records.scored import ScoredCase

MICRO = 1_000_000
STRONG = "strong_share"
Order = tuple[str, ...]
ORDERS: Sequence[Order] = tuple(permutations(FACTORS))


def attribute(corners: Corners, metric: str, spoken: Mapping[str, ScoredCase]) -> Attribution:
    """Split the change of a mean over the compared cases into retriever, labels and yardstick.

    A factor's part is its Shapley value: the mean, over the six orders in which the three factors can be exchanged
    one after the other, of what exchanging it changes (Shapley: A value for n-person games, 1953). What the old
    evaluator said (`spoken`) beyond what the present one says of the same old inputs belongs to the yardstick.

    Every value is a whole number of millionths, like the committed reports, and the parts are rounded so that they add
    up to the total to the last digit. They are None where a mean is of nothing, and where no mixture is known.
    """
    values = {corner: micro_mean(cases, metric) for corner, cases in corners.items()}
    said = micro_mean(spoken, metric)
    counted = sum(micro(case, metric) is not None for case in spoken.values())
    known = {corner: value for corner, value in values.items() if value is not None}
    if said is None or len(known) < len(CORNERS):
        return Attribution(old=_plain(said), new=_plain(values[NEW]), n=counted)
    parts = shapley(known)
    parts["yardstick"] += known[OLD] - said
    old, new = round(said), round(known[NEW])
    whole = apportion(parts, new - old)
    return Attribution(
        old=old / MICRO,
        new=new / MICRO,
        n=counted,
        retriever=whole["retriever"] / MICRO,
        labels=whole["labels"] / MICRO,
        yardstick=whole["yardstick"] / MICRO,
        total=(new - old) / MICRO,
    )


def shapley(values: Mapping[Corner, Fraction]) -> dict[str, Fraction]:
    """Return the part of each factor; the parts add up to the difference between the new and the old corner."""
    return {
        factor: sum((_step(values, order, factor) for order in ORDERS), Fraction()) / len(ORDERS) for factor in FACTORS
    }


def apportion(parts: Mapping[str, Fraction], total: int) -> dict[str, int]:
    """Round parts to whole numbers which add up to `total`, each by less than one (largest remainder)."""
    floors = {name: part.__floor__() for name, part in parts.items()}
    by_remainder = sorted(parts, key=lambda name: (floors[name] - parts[name], name))
    missing = total - sum(floors.values())
    for index in range(abs(missing)):
        floors[by_remainder[index % len(by_remainder)]] += 1 if missing > 0 else -1
    return floors


def micro_mean(cases: Mapping[str, ScoredCase], metric: str) -> Fraction | None:
    """Return the mean of a metric over the cases that have it, in millionths; None where none has it."""
    known = [value for case in cases.values() if (value := micro(case, metric)) is not None]
    return Fraction(sum(known), len(known)) if known else None


def micro(case: ScoredCase, metric: str) -> int | None:
    """Return a metric of a case in whole millionths, as it is written to disk; `strong_share` is 1 for strong."""
    if metric == STRONG:
        return MICRO * (case.level == "strong") if case.level else None
    value = case.metrics.get(metric)
    return None if value is None else round(value * MICRO)


def _step(values: Mapping[Corner, Fraction], order: Order, factor: str) -> Fraction:
    """What exchanging `factor` changes when those before it in `order` are exchanged already."""
    corner = OLD
    for name in order[: order.index(factor)]:
        corner = exchanged(corner, name)
    return values[exchanged(corner, factor)] - values[corner]


def _plain(value: Fraction | None) -> float | None:
    return None if value is None else round(value) / MICRO
