"""Located golden cases to cases, with everything that is wrong in a single case."""

from collections.abc import Iterator, Sequence

from stages.core.normalise import normalise
from stages.core.query_text import query_text
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation, Expected
from stages.records.located_case import LocatedCase, Location
from stages.records.problem import Problem

NO_EVIDENCE = Evidence()


def build_cases(located: Sequence[LocatedCase]) -> tuple[list[Case], list[Problem]]:
    """Return the cases sorted by id, and every problem which a single case shows without a corpus."""
    problems = [problem for one in located for problem in case_problems(one)]
    return sorted((build_case(one) for one in located), key=lambda case: case.id), problems


def build_case(located: LocatedCase) -> Case:
    """Return one case: the query as text, without notes and places."""
    golden = located.case
    expected = golden.expected if isinstance(golden.expected, Expected) else None
    return Case(
        id=golden.id,
        scenario=located.scenario,
        query=query_text(golden.query),
        fault_type=golden.fault_type,
        lang=golden.lang,
        tags=tuple(sorted(set(golden.tags))),
        answerable=expected is not None,
        expectations=expected.documents if expected else (),
        evidence=expected.evidence if expected else NO_EVIDENCE,
        forbidden=expected.forbidden if expected else (),
    )


def case_problems(located: LocatedCase) -> Iterator[Problem]:
    """Yield what is wrong with one case, each with its place and remedy."""
    if not normalise(query_text(located.case.query)):
        yield located.problem(("query",), "the query holds no letter and no digit", "Write what the user would ask")
    expected = located.case.expected
    if isinstance(expected, Expected):
        for index, expectation in enumerate(expected.documents):
            yield from _expectation_problems(located, expectation, ("expected", "documents", index))
        yield from _label_problems(located, expected)
        yield from _evidence_problems(located, expected.evidence)


def _expectation_problems(located: LocatedCase, expectation: Expectation, where: Location) -> Iterator[Problem]:
    if (expectation.doc_id is None) == (expectation.label is None):
        both = "both doc_id and label" if expectation.doc_id else "neither doc_id nor label"
        null = next((f"{name} is null: " for name in ("doc_id", "label") if (*where, name) in located.places), "")
        what = f"{'' if expectation.doc_id else null}the expectation has {both}"
        yield located.problem(where, what, "Name the document by exactly one of the two")
    for field in ("doc_id", "label", "section"):
        value = getattr(expectation, field)
        if value is not None and not normalise(value):
            what = f"{field} is {value!r}, which holds no letter and no digit"
            yield located.problem((*where, field), what, "Write it as the document has it")


def _label_problems(located: LocatedCase, expected: Expected) -> Iterator[Problem]:
    where: Location = ("expected", "documents")
    if not any(expectation.relevance > 0 for expectation in expected.documents):
        remedy = "Add what should be found, or write `expected: none`"
        yield located.problem(where, "no expectation has a relevance above 0", remedy)
    seen: dict[tuple[str | None, ...], int] = {}
    for index, expectation in enumerate(expected.documents):
        target = (expectation.doc_id, expectation.label, expectation.section and normalise(expectation.section))
        first = seen.setdefault(target, index)
        if first != index:
            grades = f"{expected.documents[first].relevance} and {expectation.relevance}"
            what = f"the same target is labelled twice, with relevance {grades}"
            yield located.problem((*where, index), what, "Keep one label for each target")
    relevant = {e.doc_id for e in expected.documents if e.relevance > 0 and e.doc_id}
    for index, doc_id in enumerate(expected.forbidden):
        if doc_id in relevant:
            what = f"the document {doc_id!r} is both expected and forbidden"
            yield located.problem(("expected", "forbidden", index), what, "Keep one of the two")


def _evidence_problems(located: LocatedCase, evidence: Evidence) -> Iterator[Problem]:
    where: Location = ("expected", "evidence")
    if not evidence.keywords and not evidence.breadcrumbs:
        remedy = "Name keywords or breadcrumbs that must be seen in what is found"
        yield located.problem(where, "the evidence is empty", remedy)
    for index, keyword in enumerate(evidence.keywords):
        if not normalise(keyword):
            what = f"the keyword {keyword!r} normalises to nothing"
            yield located.problem((*where, "keywords", index), what, "Use a keyword with letters or digits")
    for index, breadcrumb in enumerate(evidence.breadcrumbs):
        if not normalise(" ".join(breadcrumb)):
            what = f"the breadcrumb {list(breadcrumb)!r} normalises to nothing"
            yield located.problem((*where, "breadcrumbs", index), what, "Name the path down to the section")
