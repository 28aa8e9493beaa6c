"""A suggestion about how the text sent is built from an alert."""

import re
from collections.abc import Iterator, Mapping

from stages.core.section_values import is_hit, scored_cases
from stages.records.retriever_report import Suggestion
from stages.records.scored import ScoredPath

# As stages.core.query_text writes the metrics of a structured query.
_PAIR = re.compile(r"\w+=\S")


def query_construction(paths: Mapping[str, ScoredPath]) -> Iterator[Suggestion]:
    """Queries built from alerts (`name=value`) are hit less often than questions that people wrote."""
    worse: list[str] = []
    missed: set[str] = set()
    for name, path in paths.items():
        hits = {case.case_id: is_hit(case, path.yardstick) for case in scored_cases(path.cases)}
        built = {case.case_id: hits[case.case_id] for case in scored_cases(path.cases) if _PAIR.search(case.query)}
        written = [hit for case_id, hit in hits.items() if case_id not in built]
        if built and written and sum(built.values()) * len(written) < sum(written) * len(built):
            shares = f"{sum(built.values())} of {len(built)} against {sum(written)} of {len(written)}"
            worse.append(f"{name} hits {shares}")
            missed.update(case_id for case_id, hit in built.items() if not hit)
    if worse:
        yield Suggestion(
            rule="query_construction",
            finding=f"queries built from alerts are hit less often than written ones: {'; '.join(worse)}",
            remedy="Try sending what the rule said without values, or the metrics' names in words",
            cases=tuple(sorted(missed)),
        )
