"""One case on one path, candidate by candidate up the evidence ladder."""

from stages.core.candidate_names import candidate_name
from stages.core.case_outcome import first_hit_rank, label
from stages.core.case_scoring import score_cases
from stages.core.evidence import find_evidence, searchable_text
from stages.core.matching import document_rule, full_rule, section_rule
from stages.core.measure_plan import plan_measures
from stages.core.normalise import normalise
from stages.core.replay import replay_case
from stages.records.case import Case
from stages.records.recording import Candidate
from stages.records.shown_case import ShownCandidate, ShownPath
from stages.records.side import Side


def show_path(side: Side, case_id: str, depth: int) -> ShownPath:
    """Return the case as the path answers it, with its first `depth` candidates."""
    case, measured = side.cases[case_id], side.yardstick
    ranking = replay_case(case, side.recordings.get(case_id), side.state, measured.top_k, measured.cutoffs)
    plan = plan_measures(measured.top_k, measured.cutoffs, measured.primary_grain)
    scored = score_cases([case], {case_id: ranking}, plan, measured)[0]
    recording = side.recordings.get(case_id)
    candidates = recording.candidates[:depth] if recording and ranking.state == "ok" else ()
    return ShownPath(
        path=side.state.path,
        label=label(scored),
        reason=scored.reason,
        first_hit_rank=first_hit_rank(scored),
        failed_checks=scored.failed_checks,
        candidates=tuple(_shown(case, candidate) for candidate in candidates),
    )


def _shown(case: Case, candidate: Candidate) -> ShownCandidate:
    """The rungs of the first expectation whose document it is, the one with the section before others."""
    of_document = [e for e in case.expectations if document_rule(e, candidate)]
    best = next((e for e in of_document if full_rule(e, candidate)), of_document[0] if of_document else None)
    text = searchable_text(candidate)
    paths = case.evidence.breadcrumbs
    unseen = find_evidence(case.evidence, case.expectations, [candidate]).missing_breadcrumbs
    return ShownCandidate(
        rank=candidate.rank,
        name=candidate_name(candidate),
        score=candidate.score,
        relevance=best.relevance if best and full_rule(best, candidate) else None,
        document=document_rule(best, candidate) if best else None,
        section=section_rule(best, candidate) if best else None,
        breadcrumb=len(unseen) < len(paths),
        keywords=tuple(keyword for keyword in case.evidence.keywords if normalise(keyword) in text),
    )
