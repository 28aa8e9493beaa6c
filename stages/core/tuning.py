"""Search of fusion settings on one half of the cases, judged on the other."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stages.core.grains import Grain, judgments, ranking_keys
from stages.core.paired_tests import sign_test
from stages.core.resolution import resolution_sentence
from stages.core.scoring import score_queries
from stages.records.case import Case
from stages.records.params.hybrid import HybridParams, HybridWeights
from stages.records.recording import Candidate
from stages.records.tuning import Setting, TuningReport, Verdict

LEVEL = 0.05
DIGITS = 6
Retrieve = Callable[[Case, HybridParams], Sequence[Candidate]]
Values = dict[str, float]


@dataclass(frozen=True)
class Experiment:
    """What is tuned, and by what it is judged.

    Attributes:
        tuned: The cases on which the setting is chosen.
        held_out: The cases on which it is judged.
        retrieve: A case and a setting to candidates, in rank order.
        metric: A measure such as `ndcg@10`.
        grain: What counts as one unit.
    """

    tuned: Sequence[Case]
    held_out: Sequence[Case]
    retrieve: Retrieve
    metric: str
    grain: Grain

    def values(self, cases: Sequence[Case], params: HybridParams) -> Values:
        """Return the metric of each case under one setting."""
        keys = {case.id: ranking_keys(case.expectations, self.retrieve(case, params), self.grain) for case in cases}
        grades = {case.id: judgments(case.expectations, self.grain) for case in cases}
        scores = score_queries(grades, keys, [self.metric])
        return {case.id: round(scores[case.id][self.metric] or 0.0, DIGITS) for case in cases}

    def setting(self, name: str, params: HybridParams) -> Setting:
        """Return one setting with its means on both halves."""
        return Setting(
            name=name,
            rrf_k=params.rrf_k if params.method == "rrf" else None,
            weights=params.weights.model_dump(),
            tuned_value=mean(self.values(self.tuned, params)),
            held_out_value=mean(self.values(self.held_out, params)),
        )


def grid(current: HybridParams, ks: Sequence[float], shares: Sequence[float]) -> list[HybridParams]:
    """Return the current setting, and every k with every share of BM25 (Milvus has the rest).

    Without RRF there is no k to search.
    """
    points = [
        current.model_copy(update={"rrf_k": k, "weights": HybridWeights(bm25=share, milvus=round(1 - share, DIGITS))})
        for k in (sorted(set(ks)) if current.method == "rrf" else [current.rrf_k])
        for share in sorted(set(shares))
    ]
    return [current, *points]


def tune(experiment: Experiment, settings: Sequence[HybridParams], seed: int, left_out: dict[str, int]) -> TuningReport:
    """Choose the setting with the highest mean on the tuned half (the first of equals), and report both halves.

    `settings[0]` is the current one.
    """
    means = [mean(experiment.values(experiment.tuned, one)) for one in settings]
    current, best = settings[0], settings[means.index(max(means))]
    before = experiment.values(experiment.held_out, current)
    after = experiment.values(experiment.held_out, best)
    better = sum(after[case] > before[case] for case in before)
    worse = sum(after[case] < before[case] for case in before)
    gain = mean(after) - mean(before)
    # One-sided, and in the direction of the mean: a few large wins against many small losses are no gain.
    chance = (sign_test(worse, better) if gain > 0 else sign_test(better, worse)).p_one_sided
    return TuningReport(
        metric=experiment.metric,
        grain=experiment.grain,
        seed=seed,
        tuned_cases=len(experiment.tuned),
        held_out_cases=len(experiment.held_out),
        left_out=left_out,
        settings_tried=len(settings),
        current=experiment.setting("current", current),
        tuned=experiment.setting("tuned", best),
        arms=tuple(experiment.setting(f"{name} alone", _alone(current, name)) for name in ("bm25", "milvus")),
        better=better,
        worse=worse,
        same=len(before) - better - worse,
        p_one_sided=chance,
        verdict=verdict(gain, chance),
        resolution=resolution_sentence(len(before)),
    )


def verdict(gain: float, chance: float) -> Verdict:
    """Return `gain` or `loss` only where the sign test finds the split less likely than 5 % by chance."""
    if chance >= LEVEL or not gain:
        return "within_resolution"
    return "gain" if gain > 0 else "loss"


def mean(values: Values) -> float:
    """Return the mean over the cases."""
    return round(statistics.fmean(values.values()), DIGITS)


def _alone(params: HybridParams, arm: str) -> HybridParams:
    weights = HybridWeights(bm25=float(arm == "bm25"), milvus=float(arm == "milvus"))
    return params.model_copy(update={"weights": weights})
