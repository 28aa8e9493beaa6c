"""What the cases that lost would be, were the candidates that nobody judged relevant."""

from stages.core.candidate_names import candidate_name
from stages.core.case_outcome import outcome
from stages.core.case_scoring import score_cases
from stages.core.evidence import find_evidence
from stages.core.matching import full_rule
from stages.core.measure_plan import plan_measures
from stages.core.replay import replay_case
from stages.core.side_comparison import Comparison
from stages.records.case import Case
from stages.records.golden import Expectation
from stages.records.recording import Candidate
from stages.records.scored import ScoredCase
from stages.records.side import Side


def optimistic_cases(comparison: Comparison) -> dict[str, ScoredCase]:
    """Score each case that lost anew, with its fresh unjudged candidates taken as relevant.

    Fresh are those within topK which meet no label, in which some of the evidence is seen, and which the old side did
    not have within its topK: what has no evidence, or stood there unjudged before, explains no drop. Of two reports
    nothing can be scored anew.
    """
    if not comparison.mixed:
        return {}
    old, new = comparison.old, comparison.new
    lost = [id_ for id_ in comparison.common if _lost(comparison.spoken[id_], comparison.scored[id_])]
    cases = {id_: case for id_ in lost if (case := _with_fresh(old, new, id_))}
    measured = new.yardstick
    rankings = {
        id_: replay_case(new.cases[id_], new.recordings[id_], new.state, measured.top_k, measured.cutoffs)
        for id_ in cases
    }
    plan = plan_measures(measured.top_k, measured.cutoffs, measured.primary_grain)
    return {case.case_id: case for case in score_cases(list(cases.values()), rankings, plan, measured)}


def _lost(old: ScoredCase, new: ScoredCase) -> bool:
    """Whether a compared case lost level, rank or any metric."""
    if new.level is None or outcome(old, new) is None:
        return False
    fell = any((new.metrics.get(name) or 0.0) < (value or 0.0) for name, value in old.metrics.items())
    return fell or outcome(old, new) in {"loss", "regression"}


def _with_fresh(old: Side, new: Side, id_: str) -> Case | None:
    """The case with a label for each fresh candidate; None if there is none."""
    case = new.cases[id_]
    before = {candidate_name(c) for c in old.recordings[id_].candidates[: old.yardstick.top_k]}
    top = new.recordings[id_].candidates[: new.yardstick.top_k]
    fresh = [c for c in top if candidate_name(c) not in before and not _judged(case, c) and _shows(case, c)]
    labels = tuple({candidate_name(c): label for c in fresh if (label := _label(c))}.values())
    return case.model_copy(update={"expectations": (*case.expectations, *labels)}) if labels else None


def _judged(case: Case, candidate: Candidate) -> bool:
    return any(full_rule(expectation, candidate) for expectation in case.expectations)


def _shows(case: Case, candidate: Candidate) -> bool:
    found = find_evidence(case.evidence, (), [candidate])
    return bool(found.coverage) or len(found.missing_breadcrumbs) < len(case.evidence.breadcrumbs)


def _label(candidate: Candidate) -> Expectation | None:
    """A label for the candidate, not validated: a service's names may be longer than what people may write."""
    if not candidate.doc_id and not candidate.title:
        return None
    return Expectation.model_construct(
        doc_id=candidate.doc_id or None,
        label=None if candidate.doc_id else candidate.title,
        section=candidate.section or None,
        chunk_ids=(candidate.chunk_id,) if candidate.chunk_id else (),
        relevance=1,
    )
