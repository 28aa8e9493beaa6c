"""Rankings to scored cases: the level with its reasons, and every planned measure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from stages.core.grains import GRAINS, judgments, ranking_keys
from stages.core.hit_level import judge
from stages.core.matching import document_rule, first_matches, full_rule
from stages.core.measure_plan import PlannedMeasure
from stages.core.scoring import score_queries
from stages.records.case import Case
from stages.records.golden import Expectation
from stages.records.ranking import Ranking
from stages.records.recording import Candidate
from stages.records.scored import MatchedExpectation, ScoredCase, TopCandidate
from stages.records.yardstick import Yardstick


def score_cases(
    cases: Sequence[Case],
    rankings: Mapping[str, Ranking],
    plan: Sequence[PlannedMeasure],
    yardstick: Yardstick,
) -> list[ScoredCase]:
    """Score every case of one path, sorted by id; `rankings` holds one for each."""
    counted = [case for case in cases if counts(case, rankings[case.id])]
    metrics = _metrics(counted, rankings, plan)
    return [
        _scored(case, rankings[case.id], yardstick, metrics.get(case.id, {}))
        for case in sorted(cases, key=lambda case: case.id)
    ]


def counts(case: Case, ranking: Ranking) -> bool:
    """Whether a case has a level and is in means: answerable, winnable, and run."""
    return case.answerable and case.unwinnable is None and ranking.state == "ok"


def _scored(case: Case, ranking: Ranking, yardstick: Yardstick, metrics: dict[str, float | None]) -> ScoredCase:
    top = ranking.candidates[: yardstick.top_k]
    judgement = judge(case, top, yardstick.min_keyword_coverage) if counts(case, ranking) else None
    expectations = tuple(_matched(case, top))
    ranks = [e.document_rank for e in expectations if e.document_rank is not None and e.relevance > 0]
    unanswered = not case.answerable and ranking.state == "ok"
    return ScoredCase(
        case_id=case.id,
        scenario=case.scenario,
        fault_type=case.fault_type,
        lang=case.lang,
        tags=case.tags,
        query=case.query,
        answerable=case.answerable,
        state="unwinnable" if case.unwinnable else ranking.state,
        code="unwinnable" if case.unwinnable else ranking.code,
        reason=case.unwinnable or ranking.reason,
        degraded=ranking.degraded,
        level=judgement.level if judgement else None,
        first_expected_rank=min(ranks, default=None),
        first_hit_rank=_whole(metrics.get("average_first_hit_rank")),
        keyword_coverage=judgement.keyword_coverage if judgement else None,
        expectations=expectations,
        failed_checks=judgement.failed_checks if judgement else (),
        false_positives=sum(_above(c, yardstick.relevance_floor) for c in top) if unanswered else None,
        top=tuple(_top(case.expectations, candidate) for candidate in top),
        metrics=metrics,
    )


def _metrics(
    cases: Sequence[Case], rankings: Mapping[str, Ranking], plan: Sequence[PlannedMeasure]
) -> dict[str, dict[str, float | None]]:
    """Return case id to measure name to value; None beyond the depth to which a ranking is known."""
    found: dict[str, dict[str, float | None]] = defaultdict(dict)
    for grain in GRAINS:
        planned = [measure for measure in plan if measure.grain == grain]
        grades = {case.id: judgments(case.expectations, grain) for case in cases}
        keys = {case.id: ranking_keys(case.expectations, rankings[case.id].candidates, grain) for case in cases}
        values = score_queries(grades, keys, sorted({measure.formula for measure in planned}))
        for case in cases:
            labelled = any(grade > 0 for grade in grades[case.id].values())
            for measure in planned:
                known = labelled and _known(rankings[case.id], measure.cutoff)
                found[case.id][measure.name] = values[case.id][measure.formula] if known else None
    return {case.id: {measure.name: found[case.id][measure.name] for measure in plan} for case in cases}


def _known(ranking: Ranking, cutoff: int) -> bool:
    return ranking.complete or ranking.depth >= cutoff


def _matched(case: Case, top: Sequence[Candidate]) -> list[MatchedExpectation]:
    matches = {match.expectation: match for match in first_matches(case.expectations, top)}
    return [
        MatchedExpectation(
            document=expectation.doc_id or expectation.label or "",
            section=expectation.section,
            relevance=expectation.relevance,
            rank=matches[index].rank if index in matches else None,
            rule=matches[index].rule if index in matches else None,
            document_rank=next((c.rank for c in top if document_rule(expectation, c)), None),
        )
        for index, expectation in enumerate(case.expectations)
    ]


def _top(expectations: Sequence[Expectation], candidate: Candidate) -> TopCandidate:
    return TopCandidate(
        rank=candidate.rank,
        doc_id=candidate.doc_id,
        title=candidate.title,
        section=candidate.section,
        chunk_id=candidate.chunk_id,
        score=candidate.score,
        score_label=candidate.score_label,
        relevance=next((e.relevance for e in expectations if full_rule(e, candidate)), None),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _above(candidate: Candidate, relevance_floor: float | None) -> bool:
    return relevance_floor is None or candidate.score is None or candidate.score >= relevance_floor
