"""Holm's correction for looking at several measures at once."""

from collections.abc import Mapping


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values so that the chance of any false alarm among them stays below the level asked for.

    The smallest is multiplied by their number, the next by one less, and so on; no adjusted value is below the one
    before it, and none above 1. The names keep their order.

    Source: Holm: A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979.
    """
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: (p_values[name], name))):
        highest = max(highest, min(1.0, p_values[name] * (len(p_values) - rank)))
        adjusted[name] = highest
    return {name: adjusted[name] for name in p_values}
