"""Choosing cases by id, tag and scenario."""

from collections.abc import Collection, Sequence

from stages.records.case import Case


def select_cases(
    cases: Sequence[Case], ids: Collection[str], tags: Collection[str], scenarios: Collection[str]
) -> tuple[list[Case], list[str]]:
    """Return the chosen cases in their order, and a sentence for every name that chooses nothing.

    Within one kind of name any will do, and all kinds must hold; a kind without names chooses everything.
    """
    chosen = [
        case
        for case in cases
        if (not ids or case.id in ids)
        and (not tags or not set(tags).isdisjoint(case.tags))
        and (not scenarios or case.scenario in scenarios)
    ]
    known = {
        "id": {case.id for case in cases},
        "tag": {tag for case in cases for tag in case.tags},
        "scenario": {case.scenario for case in cases},
    }
    asked = {"id": ids, "tag": tags, "scenario": scenarios}
    faults = [
        f"no case has the {kind} {name!r}" for kind, names in asked.items() for name in names if name not in known[kind]
    ]
    if not chosen and not faults:
        faults = ["no case meets all of --case, --tag and --scenario"]
    return chosen, faults
