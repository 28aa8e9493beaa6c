"""Two runs against the same judgments: `retrieval-eval trec QRELS RUN --against OTHER`."""

from typing import Any

from stages.commands.trec_scoring import Scored
from stages.core.measure_comparison import MeasureComparison, compare_measures
from stages.core.paired_differences import pair
from stages.core.trec_measures import TrecMeasure
from stages.core.trec_scores import score_column


def compare_runs(before: Scored, after: Scored, measures: list[TrecMeasure]) -> dict[str, MeasureComparison]:
    """Compare each measure that a query has a value of, over the queries of both runs."""
    single = _paired(measures)
    return compare_measures(_by_query(before, single), _by_query(after, single))


def per_query(before: Scored, after: Scored, measures: list[TrecMeasure]) -> dict[str, dict[str, dict[str, Any]]]:
    """Each query's value before and after by measure, and their difference; None where a run has no value."""
    sides = [_by_query(scored, _paired(measures)) for scored in (before, after)]
    return {
        query: {name: _change(*(side[name].get(query) for side in sides)) for name in sides[0]}
        for query in sorted({*before.queries, *after.queries})
    }


def _change(before: float | None, after: float | None) -> dict[str, float | None]:
    pairs = pair({"": before}, {"": after})
    return {"before": before, "after": after, "difference": pairs.mean}


def per_query_table(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The same as text, one line a query and measure."""
    lines = [f"{'measure':<22}\tquery\tbefore\tafter\tdifference"]
    for query, measures in found.items():
        for name, one in measures.items():
            sides = "\t".join("-" if one[side] is None else f"{one[side]:.4f}" for side in ("before", "after"))
            change = "-" if one["difference"] is None else f"{one['difference']:+.4f}"
            lines.append(f"{name:<22}\t{query}\t{sides}\t{change}")
    return "\n".join(lines) + "\n"


def _paired(measures: list[TrecMeasure]) -> list[TrecMeasure]:
    return [measure for measure in measures if measure.value and measure.average == "mean"]


def _by_query(scored: Scored, measures: list[TrecMeasure]) -> dict[str, dict[str, float | None]]:
    return {
        measure.name: dict(zip(scored.queries, score_column(measure, scored.hits), strict=True)) for measure in measures
    }


def comparison_table(found: dict[str, MeasureComparison]) -> str:
    """The comparison as text: one line a measure, and what a set of this size can tell."""
    lines = [f"{'measure':<22}\tmean diff\twins\tties\tlosses\tp sign\tp random\tp Holm\t95% interval"]
    for name, one in found.items():
        pairs, interval = one.pairs, one.interval
        mean = "-" if pairs.mean is None else f"{pairs.mean:+.4f}"
        ends = f"{interval.low:+.4f}..{interval.high:+.4f}" if interval else "-"
        counts = f"{len(pairs.wins)}\t{len(pairs.ties)}\t{len(pairs.losses)}"
        tests = f"{one.sign.p_two_sided:.4f}\t{one.randomisation.p:.4f}\t{one.p_holm:.4f}"
        lines.append(f"{name:<22}\t{mean}\t{counts}\t{tests}\t{ends}")
    for first in list(found.values())[:1]:
        kind = first.interval.label if first.interval else "none of fewer than two cases"
        lines.append(f"{first.resolution}. Interval: {kind}. p random: {first.randomisation.method}.")
    return "\n".join(lines) + "\n"
