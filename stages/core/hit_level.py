"""Hit levels: strong, medium or miss, and the checks that failed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stages.core.evidence import EvidenceFound, find_evidence
from stages.core.matching import document_rule, full_rule
from stages.core.normalise import normalise
from stages.records.case import Case
from stages.records.golden import Expectation
from stages.records.recording import Candidate
from stages.records.scored import FailedCheck, Level


@dataclass(frozen=True)
class Judgement:
    """The level of one case, why it is no better, and the keyword coverage (None without keywords)."""

    level: Level
    failed_checks: tuple[FailedCheck, ...]
    keyword_coverage: float | None


def judge(case: Case, candidates: Sequence[Candidate], min_keyword_coverage: float) -> Judgement:
    """Judge an answerable case by its first topK candidates.

    strong: an expected document is there, in the expected section where one is named, the evidence is covered in
    candidates of expected documents, and no forbidden document is there. medium: an expected document is there.
    miss: none is.
    """
    relevant = [expectation for expectation in case.expectations if expectation.relevance > 0]
    of_expected = [c for c in candidates if any(document_rule(e, c) for e in relevant)]
    found = find_evidence(case.evidence, relevant, of_expected)
    if not of_expected:
        return Judgement("miss", _miss_checks(case, relevant, candidates, min_keyword_coverage), found.coverage)
    checks = (
        *_section_checks(relevant, of_expected),
        *_evidence_checks(case, found, min_keyword_coverage),
        *_forbidden_checks(case, candidates),
    )
    return Judgement("medium" if checks else "strong", checks, found.coverage)


def covered(found: EvidenceFound, min_keyword_coverage: float) -> bool:
    """Whether the evidence is enough: all breadcrumbs of one expectation, or keywords to the wanted share."""
    return found.breadcrumbs_covered or (found.coverage is not None and found.coverage >= min_keyword_coverage)


def _section_checks(relevant: Sequence[Expectation], of_expected: Sequence[Candidate]) -> list[FailedCheck]:
    if any(full_rule(expectation, candidate) for expectation in relevant for candidate in of_expected):
        return []
    wanted = _listed(f"{_name(e)}#{e.section}" for e in relevant)
    seen = _listed(candidate.section or "no section" for candidate in of_expected)
    return [
        FailedCheck(code="section_missing", message=f"right document, wrong section: expected {wanted}; found {seen}")
    ]


def _evidence_checks(case: Case, found: EvidenceFound, min_keyword_coverage: float) -> list[FailedCheck]:
    if covered(found, min_keyword_coverage):
        return []
    checks = []
    if found.coverage is not None:
        missing = _listed(found.missing_keywords)
        message = f"keyword coverage is {found.coverage:.2f}, below {min_keyword_coverage:.2f}: {missing} not seen"
        checks.append(FailedCheck(code="keywords_missing", message=message))
    if case.evidence.breadcrumbs:
        paths = _listed(" > ".join(path) for path in found.missing_breadcrumbs)
        checks.append(FailedCheck(code="breadcrumb_missing", message=f"breadcrumb not seen: {paths}"))
    return checks


def _forbidden_checks(case: Case, candidates: Sequence[Candidate]) -> list[FailedCheck]:
    ranks = [f"{c.doc_id} at rank {c.rank}" for c in candidates if c.doc_id in case.forbidden]
    return [FailedCheck(code="forbidden_document", message=f"forbidden: {_listed(ranks)}")] if ranks else []


def _miss_checks(
    case: Case, relevant: Sequence[Expectation], candidates: Sequence[Candidate], min_keyword_coverage: float
) -> tuple[FailedCheck, ...]:
    if not candidates:
        return (FailedCheck(code="nothing_retrieved", message="nothing was retrieved"),)
    wanted = _listed(_name(expectation) for expectation in relevant)
    checks = [FailedCheck(code="document_missing", message=f"no expected document: expected {wanted}")]
    checks.extend(_lookalikes(relevant, candidates))
    if covered(find_evidence(case.evidence, relevant, candidates), min_keyword_coverage):
        holders = [c for c in candidates if find_evidence(case.evidence, relevant, [c]).coverage]
        names = _listed(c.doc_id or c.title or c.source or f"rank {c.rank}" for c in holders or candidates)
        message = f"the evidence is in other documents: {names}; are labels missing?"
        checks.append(FailedCheck(code="evidence_elsewhere", message=message))
    checks.extend(_forbidden_checks(case, candidates))
    return tuple(checks)


def _lookalikes(relevant: Sequence[Expectation], candidates: Sequence[Candidate]) -> list[FailedCheck]:
    """Ids that look the same and are not, as with NFC and NFD forms of one file name."""
    return [
        FailedCheck(
            code="looks_equal",
            message=f"{candidate.doc_id!r} at rank {candidate.rank} looks like {expectation.doc_id!r} and differs",
        )
        for expectation in relevant
        for candidate in candidates
        if expectation.doc_id and candidate.doc_id and normalise(candidate.doc_id) == normalise(expectation.doc_id)
    ]


def _name(expectation: Expectation) -> str:
    return expectation.doc_id or expectation.label or ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
