"""What befell many cases at once, such as an outage, is told once and not case by case."""

from collections import defaultdict
from collections.abc import Mapping

MOST_TOLD_SINGLY = 3


def shared_causes(causes: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Turn case id to cause into cause to case ids, for the causes of more than three cases; most cases first.

    An empty cause is none.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for case_id, cause in causes.items():
        found[cause].append(case_id)
    by_size = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return {cause: tuple(sorted(ids)) for cause, ids in by_size if cause and len(ids) > MOST_TOLD_SINGLY}
