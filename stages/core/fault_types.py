"""Retrievers by fault type, over the cases they have in common."""

from collections.abc import Iterator, Mapping

from stages.core.aggregating import NO_GROUP
from stages.core.retriever_comparison import common_cases, leaders, measure_means
from stages.records.retriever_report import FaultTypeRow
from stages.records.scored import ScoredPath


def fault_type_rows(paths: Mapping[str, ScoredPath]) -> Iterator[FaultTypeRow]:
    """Yield one row a fault type, sorted by name."""
    for fault_type, case_ids in fault_type_cases(paths).items():
        values = {name: measure_means(path, case_ids) for name, path in paths.items()}
        yield FaultTypeRow(
            fault_type=fault_type,
            cases=len(case_ids),
            values=values,
            best_recall=leaders({name: means["recall_at_k"] for name, means in values.items()}),
            best_mrr=leaders({name: means["mrr"] for name, means in values.items()}),
        )


def fault_type_cases(paths: Mapping[str, ScoredPath]) -> dict[str, list[str]]:
    """Return fault type to the ids of its common cases, both sorted."""
    common = set(common_cases(paths))
    found: dict[str, list[str]] = {}
    for case in next(iter(paths.values())).cases if paths else ():
        if case.case_id in common:
            found.setdefault(case.fault_type or NO_GROUP, []).append(case.case_id)
    return dict(sorted(found.items()))
