"""A report as one side of a comparison: enough to name causes, not enough to score anew."""

from collections.abc import Mapping

from stages.records.baseline_report import BaselineReport
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate, Recording
from stages.records.scored import MatchedExpectation, ScoredCase, TopCandidate
from stages.records.side import Side


def report_side(name: str, report: BaselineReport, cases: Mapping[str, ScoredCase]) -> Side:
    """Return the side that a report describes: labels without evidence, rankings without text and cut at topK."""
    return Side(
        name=name,
        cases={id_: _case(case) for id_, case in cases.items()},
        places={},
        recordings={id_: _recording(case, report.yardstick.top_k) for id_, case in cases.items()},
        state=report.state,
        yardstick=report.yardstick,
    )


def _case(case: ScoredCase) -> Case:
    return Case(
        id=case.case_id,
        scenario=case.scenario,
        query=case.query,
        fault_type=case.fault_type,
        lang=case.lang,
        tags=case.tags,
        answerable=case.answerable,
        expectations=tuple(_expectation(expectation) for expectation in case.expectations),
        evidence=Evidence(),
        unwinnable=case.reason if case.state == "unwinnable" else None,
    )


def _expectation(matched: MatchedExpectation) -> Expectation:
    """A report does not say whether a document was named by id or by title, unless it was found."""
    field = "label" if (matched.rule or "").startswith("label") else "doc_id"
    found = {field: matched.document, "section": matched.section, "relevance": matched.relevance}
    return Expectation.model_validate(found)


def _recording(case: ScoredCase, top_k: int) -> Recording:
    candidates = tuple(_candidate(candidate) for candidate in case.top)
    return Recording(case_id=case.case_id, query=case.query, top_k=top_k, candidates=candidates)


def _candidate(top: TopCandidate) -> Candidate:
    return Candidate.model_validate(top.model_dump(exclude={"relevance"}))
