"""Whether a retriever has a result at all, and what stands beside it."""

from collections import Counter
from collections.abc import Iterator

from stages.core.section_values import scored_cases
from stages.records.retriever_summary import RetrieverFailure
from stages.records.scored import ScoredCase, ScoredPath


def retriever_failure(scored: ScoredPath) -> RetrieverFailure | None:
    """Return why no case of a retriever could be scored, or None where some were."""
    if scored_cases(scored.cases):
        return None
    state = scored.state
    if state.status == "unavailable":
        code, reason = state.code or "unavailable", state.reason or "unavailable"
        return RetrieverFailure(retriever_name=scored.path, error=reason, error_code=code, state="unavailable")
    left_out = Counter((case.state, case.code or case.state, case.reason or case.state) for case in _left_out(scored))
    if not left_out:
        error = "no case names a section to be found"
        return RetrieverFailure(retriever_name=scored.path, error=error, error_code="no_cases", state="not_run")
    (kind, code, reason), count = min(left_out.items(), key=lambda item: (-item[1], item[0]))
    return RetrieverFailure(
        retriever_name=scored.path,
        error=f"no case could be scored: {reason} ({count} cases)",
        error_code=code,
        state=kind,
    )


def retriever_warnings(scored: ScoredPath) -> Iterator[str]:
    """Yield what must be known beside the means: a degraded path, cases left out, recordings without a case."""
    if scored.state.status == "degraded":
        yield f"degraded: {scored.state.reason}"
    for (state, _), reasons in sorted(_reasons(scored).items()):
        cases = "1 case is" if len(reasons) == 1 else f"{len(reasons)} cases are"
        such_as = "such as: " if len(set(reasons)) > 1 else ""
        yield f"{cases} in no mean, {state.replace('_', ' ')}: {such_as}{min(reasons)}"
    if scored.orphans:
        yield f"recordings without a case: {', '.join(scored.orphans)}"


def _reasons(scored: ScoredPath) -> dict[tuple[str, str], list[str]]:
    """Return state and code to the reasons of the cases left out, in words."""
    found: dict[tuple[str, str], list[str]] = {}
    for case in _left_out(scored):
        code = case.code or case.state
        found.setdefault((case.state, code), []).append(case.reason or code)
    return found


def _left_out(scored: ScoredPath) -> list[ScoredCase]:
    return [case for case in scored.cases if case.answerable and case.level is None]
