"""Scored retrievers to their report."""

from collections.abc import Mapping, Sequence

from stages.core.aggregating import mean
from stages.core.fault_types import fault_type_rows
from stages.core.miss_reason import miss_cases, miss_counts
from stages.core.retriever_comparison import MEASURES, compare_retrievers
from stages.core.retriever_state import retriever_failure, retriever_warnings
from stages.core.section_label import expected_sections
from stages.core.section_values import recall, reciprocal_rank, scored_cases, section_value
from stages.core.suggestions import suggestions
from stages.records.retriever_report import CaseDetail, CaseOutcome, RetrieverReport, RetrieverRow
from stages.records.scored import METRIC_SEMANTICS, ScoredCase, ScoredPath

RETRIEVERS = ("bm25", "milvus", "hybrid")


def retriever_report(scored: Mapping[str, ScoredPath]) -> RetrieverReport:
    """Return the report on the given retrievers; one of the three that is not given was not run.

    All paths hold the same cases, scored with the same topK and cut-offs.
    """
    given = {name: scored[name] for name in RETRIEVERS if name in scored}
    running = {name: path for name, path in given.items() if scored_cases(path.cases)}
    any_path = next(iter(given.values()))
    comparison = compare_retrievers(running)
    return RetrieverReport(
        metric_semantics=METRIC_SEMANTICS,
        top_k=any_path.yardstick.top_k,
        cutoffs=any_path.yardstick.cutoffs,
        case_count=len(any_path.cases),
        answerable=sum(case.answerable for case in any_path.cases),
        retrievers=tuple(_row(name, given.get(name)) for name in RETRIEVERS),
        comparison=comparison,
        fault_types=tuple(fault_type_rows(running)),
        cases=tuple(_details(list(given.values()))),
        misses=tuple(miss for path in running.values() for miss in miss_cases(path)),
        suggestions=tuple(suggestions(running, comparison)),
    )


def _row(name: str, path: ScoredPath | None) -> RetrieverRow:
    if path is None:
        return _empty_row(name, "not_run", "not_asked", "it was not asked for", {})
    failure = retriever_failure(path)
    if failure:
        return _empty_row(name, "failed", failure.error_code, failure.error, path.state.provenance)
    cases = scored_cases(path.cases)
    return RetrieverRow(
        name=name,
        status="degraded" if path.state.status == "degraded" else "ok",
        code=path.state.code,
        reason=path.state.reason,
        warnings=tuple(retriever_warnings(path)),
        means={measure: mean(section_value(case, path.yardstick, measure) for case in cases) for measure in MEASURES},
        misses=miss_counts(path),
        provenance=path.state.provenance,
    )


def _empty_row(name: str, status: str, code: str, reason: str, provenance: Mapping[str, object]) -> RetrieverRow:
    return RetrieverRow.model_validate(
        {"name": name, "status": status, "code": code, "reason": reason, "provenance": provenance}
        | {"warnings": (), "means": {}, "misses": {}}
    )


def _details(paths: Sequence[ScoredPath]) -> list[CaseDetail]:
    rows = zip(*(path.cases for path in paths), strict=True)
    return [_detail(paths, cases) for cases in rows if cases[0].answerable]


def _detail(paths: Sequence[ScoredPath], cases: Sequence[ScoredCase]) -> CaseDetail:
    case = cases[0]
    return CaseDetail(
        case_id=case.case_id,
        fault_type=case.fault_type,
        query=case.query,
        expected=expected_sections(case),
        outcomes={path.path: _outcome(path, own) for path, own in zip(paths, cases, strict=True)},
    )


def _outcome(path: ScoredPath, case: ScoredCase) -> CaseOutcome:
    if case.level is None:
        return CaseOutcome(state=case.state, first_hit_rank=None, recall=None)
    inverse = reciprocal_rank(case, path.yardstick)
    rank = round(1 / inverse) if inverse else None
    return CaseOutcome(state="ok", first_hit_rank=rank, recall=recall(case, path.yardstick))
