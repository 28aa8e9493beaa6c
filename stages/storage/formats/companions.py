"""The good rows of a case that was refused for another of its rows: they go with it, and that is said."""

from collections.abc import Iterable, Sequence

from stages.records.problem import Problem


def companions(file: str, case_id: str, lines: Iterable[int], problems: Sequence[Problem]) -> list[Problem]:
    """Name the lines of a case that have no fault of their own, in one problem; none if all have one.

    Args:
        file: The file.
        case_id: The case, as the problems call it.
        lines: The lines of the case, in any order.
        problems: Why it was refused.
    """
    faulty = sorted({problem.line for problem in problems})
    good = sorted(set(lines) - set(faulty))
    if not good:
        return []
    goes = f"{_named(good)} {'goes' if len(good) == 1 else 'go'} with {_named(faulty)}"
    what = f"{goes}, since a case is taken whole or not at all"
    return [Problem(file, good[0], 0, case_id, what, f"Mend {_named(faulty)}")]


def _named(lines: Sequence[int]) -> str:
    return f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines))}"
