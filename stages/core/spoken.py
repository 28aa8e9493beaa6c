"""What the evaluator of a revision said of it, where its committed report can be believed."""

from collections.abc import Mapping

from stages.records.scored import METRIC_SEMANTICS, ScoredCase, TopCandidate
from stages.records.side import ReportedCandidate, ReportedScore, Side


def spoken_cases(side: Side, scored: Mapping[str, ScoredCase]) -> tuple[dict[str, ScoredCase], list[str]]:
    """Return the scored cases with level and metrics as the side's committed report has them, and what to note.

    The report counts only if it is about these inputs: same metric semantics, path, yardstick, cases and rankings.
    Where it does not, the present evaluator speaks for both sides, and a note says so.
    """
    fault = _fault(side, scored)
    if fault or side.word is None:
        return dict(scored), [f"{side.name}: {fault}; the present evaluator scored it instead"] if fault else []
    said = {case.case_id: case for case in side.word.cases}
    return {id_: _as_said(case, said[id_]) for id_, case in scored.items()}, []


def differs(spoken: ScoredCase, scored: ScoredCase) -> bool:
    """Whether the report says other than the present evaluator, to the six decimals that are written."""
    if spoken.level != scored.level:
        return True
    shared = spoken.metrics.keys() & scored.metrics.keys()
    return any(_written(spoken.metrics[name]) != _written(scored.metrics[name]) for name in shared)


def _fault(side: Side, scored: Mapping[str, ScoredCase]) -> str | None:
    word = side.word
    if word is None:
        return side.word_fault or None
    if word.metric_semantics != METRIC_SEMANTICS:
        return f"its report is of metric semantics {word.metric_semantics}, not {METRIC_SEMANTICS}"
    said = {case.case_id: case for case in word.cases}
    same = word.yardstick == side.yardstick and said.keys() == scored.keys()
    if not same or any(not _same_input(said[id_], case) for id_, case in scored.items()):
        return "its report is not of its own golden cases, recordings and parameters"
    return None


def _same_input(said: ReportedScore, scored: ScoredCase) -> bool:
    if said.query != scored.query or (said.state == "ok") != (scored.state == "ok"):
        return False
    return scored.state != "ok" or [_key(item) for item in said.top] == [_key(item) for item in scored.top]


def _key(item: ReportedCandidate | TopCandidate) -> tuple[str | None, ...]:
    return item.doc_id, item.title, item.section, item.chunk_id


def _as_said(scored: ScoredCase, said: ReportedScore) -> ScoredCase:
    if scored.state != "ok":
        return scored
    return scored.model_copy(update={"level": said.level, "metrics": said.metrics})


def _written(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
