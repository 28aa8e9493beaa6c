"""Names of measures: `recall@5`, `ap`, `r_precision`."""

import re

from stages.core.measure_formulas import FORMULAS, Formula


def parse_measure(name: str) -> tuple[Formula, int | None]:
    """The formula and the cut-off (None: the whole ranking) that a name stands for.

    Raises:
        ValueError: The name is not known, its cut-off is no positive integer, or R-precision was given one.
    """
    base, at, cut = name.partition("@")
    if base not in FORMULAS or (at and not re.fullmatch("[1-9][0-9]{0,8}", cut)):
        raise ValueError(f"{name!r} is no measure; known are {', '.join(FORMULAS)}, each also as name@k")
    if at and base == "r_precision":
        raise ValueError(f"{name!r} is no measure; r_precision takes no cut-off, it has its own")
    return FORMULAS[base], int(cut) if at else None
