"""The change of a number, split among what changed: parts that add up to the whole."""

from collections.abc import Mapping
from fractions import Fraction

from stages.core.exchange_steps import FACTORS, Steps
from stages.records.review import Attribution
from stages.records.scored import ScoredCase

MICRO = 1_000_000
STRONG = "strong_share"


def attribute(steps: Steps, metric: str, spoken: Mapping[str, ScoredCase]) -> Attribution:
    """Split the change of a mean over the compared cases into retriever, labels and yardstick.

    A part is what exchanging that factor changes, after those before it: the new recordings under the old labels, then
    the new labels, then the new parameters. What the old evaluator said (`spoken`) beyond what the present one says
    of the same old input belongs to the yardstick too.

    Every value is a whole number of millionths, like the committed reports, and the parts are rounded so that they add
    up to the total to the last digit. All are None where a mean is of nothing; where no mixture is known, as between
    two reports, the parts are None and the total is not.
    """
    said, new = micro_mean(spoken, metric), micro_mean(steps[-1], metric)
    counted = sum(micro(case, metric) is not None for case in spoken.values())
    values = [value for step in steps if (value := micro_mean(step, metric)) is not None]
    if said is None or new is None or len(values) <= len(FACTORS):
        # Of two reports no mixture is known, and the whole change is all the same.
        whole_change = (round(new) - round(said)) / MICRO if said is not None and new is not None else None
        total = whole_change if len(steps) <= len(FACTORS) else None
        return Attribution(old=_plain(said), new=_plain(new), n=counted, total=total)
    parts = {factor: values[index + 1] - values[index] for index, factor in enumerate(FACTORS)}
    parts["yardstick"] += values[0] - said
    before, after = round(said), round(new)
    whole = {name: part / MICRO for name, part in apportion(parts, after - before).items()}
    return Attribution(old=before / MICRO, new=after / MICRO, n=counted, total=(after - before) / MICRO, **whole)


def apportion(parts: Mapping[str, Fraction], total: int) -> dict[str, int]:
    """Round parts to whole numbers which add up to `total`, by largest remainder; a part of 0 stays 0."""
    whole = {name: part.__floor__() for name, part in parts.items()}
    moving = sorted((name for name in parts if parts[name]), key=lambda name: (whole[name] - parts[name], name))
    missing = total - sum(whole.values())
    for index in range(abs(missing)):
        whole[moving[index % len(moving)]] += 1 if missing > 0 else -1
    return whole


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


def _plain(value: Fraction | None) -> float | None:
    return None if value is None else round(value) / MICRO
