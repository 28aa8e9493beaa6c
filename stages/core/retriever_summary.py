"""A scored path to the summary of a retriever."""

from statistics import fmean

from stages.core.retriever_state import retriever_failure, retriever_warnings
from stages.core.section_values import is_hit, recall, reciprocal_rank, scored_cases
from stages.records.retriever_summary import (
    ExpectedSection,
    RetrievedSection,
    RetrieverFailure,
    RetrieverResult,
    RetrieverSummary,
)
from stages.records.scored import ScoredCase, ScoredPath


def retriever_summary(scored: ScoredPath) -> RetrieverSummary | RetrieverFailure:
    """Return the means by document and section over the cases that were scored, or why there are none."""
    failure = retriever_failure(scored)
    if failure:
        return failure
    results = [_result(scored, case) for case in scored_cases(scored.cases)]
    return RetrieverSummary(
        retriever_name=scored.path,
        case_count=len(results),
        hit_at_k=fmean(result.hit for result in results),
        recall_at_k=fmean(result.recall for result in results),
        mrr=fmean(result.reciprocal_rank for result in results),
        results=tuple(results),
        warnings=tuple(retriever_warnings(scored)),
    )


def _result(scored: ScoredPath, case: ScoredCase) -> RetrieverResult:
    yardstick = scored.yardstick
    relevant = [expectation for expectation in case.expectations if expectation.relevance > 0]
    return RetrieverResult(
        case_id=case.case_id,
        retriever_name=scored.path,
        top_k=yardstick.top_k,
        hit=is_hit(case, yardstick),
        reciprocal_rank=reciprocal_rank(case, yardstick),
        recall=recall(case, yardstick),
        expected=tuple(ExpectedSection(doc_id=e.document, section=e.section) for e in relevant),
        retrieved=tuple(RetrievedSection(doc_id=c.doc_id, section=c.section, score=c.score) for c in case.top),
    )
