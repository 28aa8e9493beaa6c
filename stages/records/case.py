"""A golden case as the pipeline sees it: the query is text, the rest is what is scored."""

from stages.records.golden import Evidence, Expectation
from stages.records.record import Record


class Case(Record):
    """One case after loading; notes and places stay behind, so that editing them changes nothing downstream.

    `answerable` is false for `expected: none`; then there are no expectations. `unwinnable` says why no
    ranking can win the case (its document is not in the corpus), and is None otherwise.
    """

    id: str
    scenario: str
    query: str
    fault_type: str | None
    lang: str | None
    tags: tuple[str, ...]
    answerable: bool
    expectations: tuple[Expectation, ...]
    evidence: Evidence
    forbidden: tuple[str, ...] = ()
    unwinnable: str | None = None


class CaseFile(Record):
    """All cases, sorted by id."""

    cases: tuple[Case, ...]
