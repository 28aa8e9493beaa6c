"""Score rankings against judgments: the one core behind the golden pipeline."""

from collections.abc import Mapping, Sequence

from stages.core.hits import find_hits
from stages.core.measure_formulas import FORMULAS, Formula


def score_queries(
    judgments: Mapping[str, Mapping[str, int]],
    rankings: Mapping[str, Sequence[str]],
    measures: Sequence[str],
) -> dict[str, dict[str, float | None]]:
    """Every measure for every query, sorted by query; None where a measure does not exist for a query.

    Args:
        judgments: Query to key to grade: 1 and above is relevant, 0 and below is judged and not relevant.
        rankings: Query to its keys in rank order. A key may stand more than once: it counts at its best rank, later
            ones keep their rank and gain nothing. An empty ranking is an answer, and scores 0.
        measures: Names such as `recall@5`; without `@k` the whole ranking is meant.

    A query without a relevant key has None for every measure that needs one. A query of `judgments` that is not in
    `rankings` was never asked: None for every measure, never 0.

    Raises:
        ValueError: A measure that is not known.
    """
    formulas = {name: _parse(name) for name in measures}
    scores: dict[str, dict[str, float | None]] = {}
    for query in sorted(judgments.keys() | rankings.keys()):
        hits = find_hits(judgments.get(query, {}), rankings.get(query))
        asked = hits.depth is not None
        scores[query] = {name: formula(hits, k) if asked else None for name, (formula, k) in formulas.items()}
    return scores


def _parse(name: str) -> tuple[Formula, int | None]:
    base, at, cut = name.partition("@")
    if base not in FORMULAS or (at and not (cut.isascii() and cut.isdigit() and int(cut))):
        raise ValueError(f"{name!r} is no measure; known are {', '.join(FORMULAS)}, each also as name@k")
    return FORMULAS[base], int(cut) if at else None
