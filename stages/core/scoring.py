"""Score rankings against judgments: the one core behind the golden pipeline."""

from collections.abc import Mapping, Sequence

from stages.core.hits import find_hits
from stages.core.measure_formulas import Formula
from stages.core.measure_names import parse_measure


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
    formulas = {name: parse_measure(name) for name in measures}
    return {
        query: _score(judgments.get(query, {}), rankings.get(query), formulas)
        for query in sorted(judgments.keys() | rankings.keys())
    }


def _score(
    judged: Mapping[str, int], ranking: Sequence[str] | None, formulas: Mapping[str, tuple[Formula, int | None]]
) -> dict[str, float | None]:
    if ranking is None:
        return dict.fromkeys(formulas)
    hits = find_hits(judged, ranking)
    return {name: formula(hits, k) for name, (formula, k) in formulas.items()}
