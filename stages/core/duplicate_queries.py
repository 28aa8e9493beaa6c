"""Cases which ask the same: they count one question twice."""

from collections.abc import Sequence

from stages.core.normalise import normalise
from stages.core.query_text import query_text
from stages.records.located_case import LocatedCase
from stages.records.problem import Problem


def duplicate_queries(located: Sequence[LocatedCase]) -> list[Problem]:
    """Return one problem for each case whose query an earlier case has, as written or after normalisation."""
    first: dict[str, LocatedCase] = {}
    problems: list[Problem] = []
    for one in located:
        text = query_text(one.case.query)
        earlier = first.setdefault(normalise(text), one)
        if earlier is not one and normalise(text):
            same = "same query as" if query_text(earlier.case.query) == text else "same query, but for its spelling, as"
            line = earlier.places.get(("query",), (0, 0))[0]
            what = f"the query {_short(text)!r} is the {same} case {earlier.case.id} in {earlier.file}:{line}"
            problems.append(one.problem(("query",), what, "Delete one of the two, or let them ask different things"))
    return problems


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004
