"""Why evidence is no longer, or newly, seen: the text changed, or what held it moved."""

from collections.abc import Iterator, Sequence

from stages.core.candidate_names import candidate_name
from stages.core.evidence import find_evidence, searchable_text
from stages.core.matching import document_rule
from stages.core.normalise import normalise
from stages.core.ranking_causes import Recorded
from stages.records.case import Case
from stages.records.recording import Candidate
from stages.records.review import Cause


def evidence_causes(case: Case, old: Recorded, new: Recorded) -> Iterator[Cause]:
    """Yield one cause a keyword that was seen in expected documents within topK and is not, or the reverse."""
    before, after = _of_expected(case, old), _of_expected(case, new)
    missed = {keyword for keyword in _missing(case, after) if keyword not in _missing(case, before)}
    gained = {keyword for keyword in _missing(case, before) if keyword not in _missing(case, after)}
    for keyword in case.evidence.keywords:
        if keyword in missed:
            yield _gone(keyword, _holder(keyword, before), new)
        elif keyword in gained:
            message = f"'{keyword}' is now seen in {candidate_name(_holder(keyword, after))}"
            yield Cause(code="evidence_found", message=message)


def _gone(keyword: str, holder: Candidate, new: Recorded) -> Cause:
    name = candidate_name(holder)
    now = next((c for c in new.candidates if candidate_name(c) == name), None)
    if now is not None and normalise(keyword) not in searchable_text(now):
        return Cause(code="evidence_gone", message=f"'{keyword}' is no longer in the text of {name}")
    where = f"is at rank {now.rank} now" if now else "is not recorded now"
    return Cause(code="evidence_lost", message=f"'{keyword}' stood in {name}, which {where}")


def _of_expected(case: Case, side: Recorded) -> list[Candidate]:
    relevant = [expectation for expectation in case.expectations if expectation.relevance > 0]
    return [c for c in side.candidates[: side.top_k] if any(document_rule(e, c) for e in relevant)]


def _missing(case: Case, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return find_evidence(case.evidence, case.expectations, candidates).missing_keywords


def _holder(keyword: str, candidates: Sequence[Candidate]) -> Candidate:
    return next(c for c in candidates if normalise(keyword) in searchable_text(c))
