"""Suggestions about the fusion: RRF k, weights, and whether the hybrid is worth its cost."""

from collections.abc import Callable, Iterator, Mapping

from stages.core.retriever_comparison import HYBRID, leaders
from stages.core.section_values import is_hit, reciprocal_rank, scored_cases
from stages.records.retriever_report import Comparison, Suggestion
from stages.records.scored import ScoredCase, ScoredPath


def first_places_lost(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """An arm has an expected section at rank 1, and the hybrid puts another there."""
    lost = _better_arms(paths, _first_places)
    if lost:
        yield Suggestion(
            rule="rrf_k",
            finding=f"what an arm has in the first place, the hybrid has not ({_counts(lost)}){_setting(paths)}",
            remedy="Try a smaller hybrid.rrf_k, or smaller bonuses of the reranker: `retrieval-eval tune`",
            cases=_all(lost),
        )


def found_and_fused_away(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """An arm has a hit, and the hybrid has none: the other arm's candidates took the places."""
    lost = _better_arms(paths, _hits)
    if lost:
        most = leaders({name: len(ids) for name, ids in lost.items()})
        weight = f"a larger hybrid.weights.{most[0]}" if len(most) == 1 else "another hybrid.rrf_k or hybrid.method"
        yield Suggestion(
            rule="weights",
            finding=f"what an arm has within topK, the hybrid has not ({_counts(lost)})",
            remedy=f"Try {weight}: `retrieval-eval tune` shows the held-out value beside the tuned one",
            cases=_all(lost),
        )


def hybrid_no_better(comparison: Comparison) -> Iterator[Suggestion]:
    """The hybrid does not beat its best arm, or not in every measure."""
    if comparison.verdict not in {"no_better", "mixed"}:
        return
    lost = {case_id for duel in comparison.duels for case_id in duel.losses}
    yield Suggestion(
        rule="hybrid_no_better",
        finding=comparison.sentence[0].lower() + comparison.sentence[1:],
        remedy="Tune the fusion, or use the best arm alone: it is simpler and costs less",
        cases=tuple(sorted(lost)),
    )


def _better_arms(paths: Mapping[str, ScoredPath], good: Callable[[ScoredPath], set[str]]) -> dict[str, set[str]]:
    """Return arm to the cases that are good on the arm, and on the hybrid are scored and not good."""
    if HYBRID not in paths:
        return {}
    kept = good(paths[HYBRID])
    scored = {case.case_id for case in _cases(paths[HYBRID])}
    lost = {name: (good(path) & scored) - kept for name, path in paths.items() if name != HYBRID}
    return {name: ids for name, ids in lost.items() if ids}


def _first_places(path: ScoredPath) -> set[str]:
    return {case.case_id for case in _cases(path) if reciprocal_rank(case, path.yardstick) == 1}


def _hits(path: ScoredPath) -> set[str]:
    return {case.case_id for case in _cases(path) if is_hit(case, path.yardstick)}


def _cases(path: ScoredPath) -> list[ScoredCase]:
    return scored_cases(path.cases)


def _counts(lost: Mapping[str, set[str]]) -> str:
    return ", ".join(f"{name} {len(ids)}" for name, ids in lost.items())


def _all(lost: Mapping[str, set[str]]) -> tuple[str, ...]:
    return tuple(sorted(set().union(*lost.values())))


def _setting(paths: Mapping[str, ScoredPath]) -> str:
    hybrid = paths[HYBRID].state.provenance.get("params", {}).get("hybrid", {})
    return f", with method {hybrid['method']} and rrf_k {hybrid['rrf_k']:g}" if hybrid else ""
