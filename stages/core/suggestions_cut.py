"""Suggestions about where the ranking is cut, and about fault types with too few cases."""

from collections.abc import Iterator, Mapping

from stages.core.fault_types import fault_type_cases
from stages.core.resolution import smallest_telling_loss
from stages.core.section_values import recall, scored_cases, section_value
from stages.records.retriever_report import Suggestion
from stages.records.scored import ScoredCase, ScoredPath


def top_k_too_small(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """Further expected sections stand below topK, within the deepest cut-off."""
    gains: dict[str, dict[str, ScoredCase]] = {name: _gaining(path) for name, path in paths.items()}
    found = {name: cases for name, cases in gains.items() if cases}
    if found:
        yardstick = next(iter(paths.values())).yardstick
        counts = ", ".join(f"{name} {len(cases)}" for name, cases in found.items())
        yield Suggestion(
            rule="top_k",
            finding=f"recall rises from topK {yardstick.top_k} to {max(yardstick.cutoffs)} ({counts})",
            remedy="Hand on more candidates, or rerank more of them: `dvc exp run -S topK=...` shows the gain",
            cases=tuple(sorted({case_id for cases in found.values() for case_id in cases})),
        )


def thin_fault_types(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """Fault types with so few cases that no loss in them can be told from chance."""
    enough = smallest_telling_loss()
    thin = {name: ids for name, ids in fault_type_cases(paths).items() if len(ids) < enough}
    if thin:
        names = ", ".join(f"{name} ({len(ids)})" for name, ids in thin.items())
        yield Suggestion(
            rule="thin_fault_type",
            finding=f"fewer than {enough} cases, so that even a loss of all can be chance: {names}",
            remedy="Add cases of these fault types before reading anything from their means",
            cases=tuple(sorted(case_id for ids in thin.values() for case_id in ids)),
        )


def _gaining(path: ScoredPath) -> dict[str, ScoredCase]:
    deepest = max(path.yardstick.cutoffs, default=0)
    if deepest <= path.yardstick.top_k:
        return {}
    return {
        case.case_id: case
        for case in scored_cases(path.cases)
        if (section_value(case, path.yardstick, f"recall@{deepest}") or 0.0) > recall(case, path.yardstick)
    }
