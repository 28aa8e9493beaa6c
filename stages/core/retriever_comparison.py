"""Retrievers over the cases they have in common: who leads, who ties, and whether the hybrid beats its arms."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from stages.core.paired_tests import sign_test
from stages.core.section_values import recall, reciprocal_rank, scored_cases, section_value
from stages.records.retriever_report import Comparison, Duel, MetricComparison, Verdict
from stages.records.scored import ScoredCase, ScoredPath

HYBRID = "hybrid"
MEASURES = {"hit_at_k": "hit rate", "recall_at_k": "recall", "mrr": "MRR", "ndcg_at_k": "nDCG"}
# Means that differ by less than this differ by rounding alone.
SAME = 1e-9
CHANCE = 0.05
SMALLEST_SHOWN = 0.001

Cases = Mapping[str, ScoredCase]


def common_cases(paths: Mapping[str, ScoredPath]) -> list[str]:
    """Return the ids of the cases that every path has scored, sorted."""
    scored = [{case.case_id for case in scored_cases(path.cases)} for path in paths.values()]
    return sorted(set.intersection(*scored)) if scored else []


def measure_means(path: ScoredPath, case_ids: Sequence[str]) -> dict[str, float]:
    """Return the mean of each measure over the given cases, of which there is at least one."""
    cases = _by_id(path)
    return {
        name: fmean(section_value(cases[case_id], path.yardstick, name) or 0.0 for case_id in case_ids)
        for name in MEASURES
    }


def leaders(values: Mapping[str, float]) -> tuple[str, ...]:
    """Return the names with the highest value; more than one is a tie."""
    best = max(values.values(), default=0.0)
    return tuple(name for name, value in values.items() if best - value < SAME)


def p_words(value: float) -> str:
    """Return a p-value with three decimals; none is ever called zero."""
    return f"= {value:.3f}" if value >= SMALLEST_SHOWN else f"< {SMALLEST_SHOWN}"


def compare_retrievers(paths: Mapping[str, ScoredPath]) -> Comparison:
    """Compare the paths that have a result, in the order given."""
    common = common_cases(paths) if len(paths) > 1 else []
    means = {name: measure_means(path, common) for name, path in paths.items()} if common else {}
    metrics = [_metric(name, {path: values[name] for path, values in means.items()}) for name in MEASURES]
    arms = [path for name, path in paths.items() if name != HYBRID]
    # With one arm alone the hybrid is that arm reranked: that says nothing of the fusion.
    duels = [_duel(paths[HYBRID], arm, common) for arm in arms] if HYBRID in means and len(arms) > 1 else []
    verdict, sentence = _verdict(means, duels)
    return Comparison(
        compared=tuple(means),
        cases=len(common),
        metrics=tuple(metrics) if means else (),
        duels=tuple(duels),
        verdict=verdict,
        sentence=sentence,
    )


def _metric(name: str, values: dict[str, float]) -> MetricComparison:
    return MetricComparison(metric=name, values=values, best=leaders(values))


def _duel(hybrid: ScoredPath, arm: ScoredPath, case_ids: Sequence[str]) -> Duel:
    ours, theirs = _by_id(hybrid), _by_id(arm)
    gains = {case_id: (_worth(hybrid, ours[case_id]), _worth(arm, theirs[case_id])) for case_id in case_ids}
    wins = tuple(case_id for case_id, (our, their) in gains.items() if our > their)
    losses = tuple(case_id for case_id, (our, their) in gains.items() if our < their)
    return Duel(
        arm=arm.path,
        wins=wins,
        losses=losses,
        draws=len(gains) - len(wins) - len(losses),
        p_two_sided=sign_test(len(wins), len(losses)).p_two_sided,
    )


def _worth(path: ScoredPath, case: ScoredCase) -> tuple[float, float]:
    return recall(case, path.yardstick), reciprocal_rank(case, path.yardstick)


def _verdict(means: Mapping[str, Mapping[str, float]], duels: Sequence[Duel]) -> tuple[Verdict, str]:
    if not means:
        return "incomparable", "Fewer than two retrievers have a result, so nothing is compared"
    if not duels:
        return "incomparable", "Not all of the hybrid and its arms have a result, so it is not held against them"
    arms = {name: values for name, values in means.items() if name != HYBRID}
    higher = [
        measure
        for measure in MEASURES
        if means[HYBRID][measure] - max(values[measure] for values in arms.values()) > SAME
    ]
    best = max(arms, key=lambda name: (arms[name]["mrr"], arms[name]["recall_at_k"], name))
    duel = next(duel for duel in duels if duel.arm == best)
    tally = f"case by case it wins {len(duel.wins)}, loses {len(duel.losses)} and draws {duel.draws} against {best}"
    chance = "more than chance explains" if duel.p_two_sided < CHANCE else "which chance explains as well"
    tail = f"{tally}, {chance} (sign test, p {p_words(duel.p_two_sided)})"
    if len(higher) == len(MEASURES):
        return "better", f"The hybrid is better than its best arm in every measure; {tail}"
    if higher:
        words = ", ".join(MEASURES[measure] for measure in higher)
        return "mixed", f"The hybrid is better than its best arm in {words} only; {tail}"
    return "no_better", f"The hybrid is no better than its best arm in any measure; {tail}"


def _by_id(path: ScoredPath) -> dict[str, ScoredCase]:
    return {case.case_id: case for case in path.cases}
