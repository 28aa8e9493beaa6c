"""Values of many queries, and what trec_eval prints for all of them."""

from collections.abc import Sequence
from math import exp, log

from stages.core.hits import Hits, add_up
from stages.core.trec_measures import GEOMETRIC, TrecMeasure, parse_trec_measures

SMALLEST = 0.00001

Column = list[float | None]


def score_column(measure: TrecMeasure, hits: Sequence[Hits]) -> Column:
    """One measure of every query, in the order of `hits`."""
    value, undefined = measure.value, measure.undefined
    if value is None:
        return []
    scores = [value(one) for one in hits]
    return [undefined if score is None else score for score in scores] if None in scores else scores


def summarise(measure: TrecMeasure, column: Column, hits: Sequence[Hits]) -> float | None:
    """The `all` row: a mean over the queries that have a value (None: no query has), or a sum of counts."""
    if measure.average == "queries":
        return len(hits)
    if measure.average == "geometric":
        return _geometric_mean(measure, hits)
    known = [score for score in column if score is not None]
    if measure.average == "sum":
        return sum(known)
    return add_up(known) / len(known) if known else None


def _geometric_mean(measure: TrecMeasure, hits: Sequence[Hits]) -> float:
    (base,) = parse_trec_measures([GEOMETRIC[measure.name]])
    logs = [log(max(score or 0.0, SMALLEST)) for score in score_column(base, hits)]
    return exp(add_up(logs) / len(logs))


def names_with_twins(measures: Sequence[TrecMeasure]) -> list[tuple[str, int]]:
    """Every name a value goes by, with the number of its measure: its own, then the other where that was not asked."""
    asked = {measure.name for measure in measures}
    names = []
    for number, measure in enumerate(measures):
        names.append((measure.name, number))
        if measure.twin and measure.twin not in asked:
            names.append((measure.twin, number))
    return names
