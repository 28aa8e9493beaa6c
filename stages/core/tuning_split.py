"""Cases in two halves, alike in fault types, the same for the same seed everywhere."""

import random
from collections import defaultdict
from collections.abc import Sequence

from stages.records.case import Case


def split_by_fault_type(cases: Sequence[Case], seed: int) -> tuple[list[Case], list[Case]]:
    """Return the half to tune on and the half held out, each sorted by id.

    Each fault type (cases without one are a group too) is shuffled and dealt alternately; a coin says which half
    begins, so that groups of odd size favour neither. The seed and the case ids decide, and nothing else.
    """
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in sorted(cases, key=lambda case: case.id):
        groups[case.fault_type or ""].append(case)
    halves: tuple[list[Case], list[Case]] = ([], [])
    for name, group in sorted(groups.items()):
        chance = random.Random(f"{seed}:{name}")  # noqa: S311 (a seeded shuffle, not a secret)
        chance.shuffle(group)
        first = chance.randrange(2)
        halves[first].extend(group[::2])
        halves[1 - first].extend(group[1::2])
    tuned, held_out = (sorted(half, key=lambda case: case.id) for half in halves)
    return tuned, held_out
