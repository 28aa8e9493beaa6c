"""Retrievers scored for tests: each case says what should be found, each retriever what it found, as `doc#section`."""

from collections.abc import Mapping, Sequence

from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate, PathState, Recording
from stages.records.scored import ScoredPath
from stages.records.yardstick import Yardstick


def golden(case_id: str, *expected: str, query: str = "", fault_type: str = "MQ_BACKLOG") -> Case:
    """Return a case; without `expected` it has no answer."""
    return Case(
        id=case_id,
        scenario="aiops_alert",
        query=query or f"query of {case_id}",
        fault_type=fault_type,
        lang="zh",
        tags=(),
        answerable=bool(expected),
        expectations=tuple(Expectation(doc_id=name.split("#")[0], section=_section(name)) for name in expected),
        evidence=Evidence(),
    )


def scored_path(
    name: str,
    cases: Sequence[Case],
    found: Mapping[str, Sequence[str]],
    *,
    state: PathState | None = None,
    grain: str = "section",
    top_k: int = 3,
) -> ScoredPath:
    """Score one retriever; a case that `found` does not name was not recorded."""
    recordings = {case.id: recording(case, found[case.id]) for case in cases if case.id in found}
    yardstick = Yardstick.model_validate(
        {"top_k": top_k, "cutoffs": (1, 3, 10), "primary_grain": grain, "min_keyword_coverage": 0.6}
        | {"relevance_floor": None}
    )
    ready = state or PathState(path=name, status="ready")
    return score_path(cases, replay_path(cases, recordings, ready, top_k, (1, 3, 10)), yardstick)


def recording(case: Case, found: Sequence[str], depth: int = 30) -> Recording:
    """Return the recording of one case."""
    candidates = [
        Candidate(rank=rank, doc_id=name.split("#")[0], section=_section(name), chunk_id=name, score=1 / rank)
        for rank, name in enumerate(found, 1)
    ]
    return Recording(case_id=case.id, query=case.query, top_k=depth, candidates=tuple(candidates))


def _section(name: str) -> str | None:
    return name.split("#")[1] if "#" in name else None
