"""Which measures are computed at which grain and cut-off, and under which name they are reported."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stages.core.grains import GRAINS, Grain

AT_TOP_K = {
    "hit_at_k": "hit",
    "recall_at_k": "recall",
    "precision_at_k": "precision",
    "mrr": "rr",
    "map_at_k": "ap",
    "ndcg_at_k": "ndcg",
    "average_first_hit_rank": "first_hit_rank",
    "judged_at_k": "judged",
    "duplicate_rate": "duplicate_rate",
}
AT_CUTOFFS = ("hit", "recall", "precision", "ndcg")


@dataclass(frozen=True)
class PlannedMeasure:
    """One reported number: its name, and the measure, cut-off and grain it is computed with."""

    name: str
    measure: str
    cutoff: int
    grain: Grain

    @property
    def formula(self) -> str:
        """The name by which the scoring core knows it."""
        return f"{self.measure}@{self.cutoff}"


def plan_measures(top_k: int, cutoffs: Sequence[int], primary_grain: Grain) -> tuple[PlannedMeasure, ...]:
    """Return every measure of a report; names without a grain are those at the primary grain.

    Names such as `recall_at_k` survive a change of topK; `recall@10` is the value at that fixed cut-off.
    """
    return tuple(_planned(top_k, sorted(set(cutoffs)), primary_grain))


def reported_name(name: str, grain: Grain, primary_grain: Grain) -> str:
    """Return the name of a number at a grain: `recall_at_k` at the primary one, else `recall_at_k_document`."""
    return name if grain == primary_grain else f"{name}_{grain}"


def _planned(top_k: int, cutoffs: Sequence[int], primary_grain: Grain) -> Iterator[PlannedMeasure]:
    for grain in (primary_grain, *(grain for grain in GRAINS if grain != primary_grain)):
        for name, measure in AT_TOP_K.items():
            yield PlannedMeasure(reported_name(name, grain, primary_grain), measure, top_k, grain)
        for measure in AT_CUTOFFS:
            for cutoff in cutoffs:
                name = reported_name(f"{measure}@{cutoff}", grain, primary_grain)
                yield PlannedMeasure(name, measure, cutoff, grain)
