"""How many cases to add where, by rules that say why."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from stages.core.mutants import EVERY_DOCUMENT, NO_FAULT_TYPE, Scope
from stages.core.mutation_testing import Outcome
from stages.records.audit import Advice, Coverage, Saturation
from stages.records.scored import Level

SATURATED = 0.9
# Cases that a group should have before it is called saturated.
ENOUGH = 5


def audit_advice(
    outcomes: Sequence[Outcome],
    levels: Mapping[str, Level | None],
    coverage: Coverage,
    saturated: Mapping[str, Saturation],
    min_cases: int,
) -> list[Advice]:
    """Return the advice: blind places first, then thin groups, saturated groups, documents nobody asks for."""
    return [
        *_blind_scopes(outcomes, levels),
        *_thin(coverage, min_cases),
        *_saturated(saturated),
        *_never_asked(coverage),
    ]


def _blind_scopes(outcomes: Sequence[Outcome], levels: Mapping[str, Level | None]) -> Iterator[Advice]:
    tried = Counter(_place(outcome.mutant.scope) for outcome in outcomes)
    survived = Counter(_place(outcome.mutant.scope) for outcome in outcomes if not outcome.rules)
    scopes = {_place(outcome.mutant.scope): outcome.mutant.scope for outcome in outcomes}
    for place in sorted(survived, key=lambda place: (-survived[place] / tried[place], place)):
        if 2 * survived[place] < tried[place]:
            continue
        cases = scopes[place].cases
        strong = sum(levels[case.id] == "strong" for case in cases)
        why = f"{survived[place]} of {tried[place]} kinds of damage go unnoticed; {strong} of {len(cases)} cases strong"
        where = place[0] if place[1] == EVERY_DOCUMENT else f"{place[0]} · {place[1]}"
        yield Advice(where=where, add=max(1, 2 - strong), why=why)


def _thin(coverage: Coverage, min_cases: int) -> Iterator[Advice]:
    for name, count in sorted(coverage.by_fault_type.items()):
        if count < min_cases and name != NO_FAULT_TYPE:
            yield Advice(where=name, add=min_cases - count, why=f"{count} cases, {min_cases} wanted")


def _saturated(saturated: Mapping[str, Saturation]) -> Iterator[Advice]:
    for name, found in saturated.items():
        if found.cases >= ENOUGH and (found.saturated_share or 0) >= SATURATED:
            why = f"{found.saturated} of {found.cases} cases cannot get better: add harder ones"
            yield Advice(where=name, add=2, why=why)


def _never_asked(coverage: Coverage) -> Iterator[Advice]:
    for name in coverage.documents_never_expected:
        yield Advice(where=name, add=1, why="no case expects the document")


def _place(scope: Scope) -> tuple[str, str]:
    return scope.fault_type, scope.document
