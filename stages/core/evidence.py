"""Whether the evidence of a case is seen in what was found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stages.core.normalise import normalise
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate


@dataclass(frozen=True)
class EvidenceFound:
    """What was seen: `coverage` is the share of keywords, None without keywords.

    `breadcrumbs_covered` is True when every breadcrumb of one expectation was seen.
    """

    coverage: float | None
    missing_keywords: tuple[str, ...]
    breadcrumbs_covered: bool
    missing_breadcrumbs: tuple[tuple[str, ...], ...]


def find_evidence(
    evidence: Evidence, expectations: Sequence[Expectation], candidates: Sequence[Candidate]
) -> EvidenceFound:
    """Look for the keywords and breadcrumbs of a case in `candidates`."""
    missing_keywords = _missing_keywords(evidence.keywords, candidates)
    missing = tuple(path for path in evidence.breadcrumbs if not _breadcrumb_seen(path, candidates))
    count = len(evidence.keywords)
    return EvidenceFound(
        coverage=(count - len(missing_keywords)) / count if count else None,
        missing_keywords=missing_keywords,
        breadcrumbs_covered=any(
            owned and not set(owned) & set(missing) for owned in _breadcrumbs_by_expectation(evidence, expectations)
        ),
        missing_breadcrumbs=missing,
    )


def searchable_text(candidate: Candidate) -> str:
    """Return everything of a candidate in which a keyword may stand, normalised."""
    parts = (candidate.title, *candidate.breadcrumb, candidate.section, candidate.content)
    return normalise("\n".join(part for part in parts if part))


def _missing_keywords(keywords: Iterable[str], candidates: Sequence[Candidate]) -> tuple[str, ...]:
    texts = [searchable_text(candidate) for candidate in candidates]
    return tuple(keyword for keyword in keywords if not any(normalise(keyword) in text for text in texts))


def _breadcrumb_seen(breadcrumb: Sequence[str], candidates: Sequence[Candidate]) -> bool:
    wanted = normalise(" ".join(breadcrumb))
    return any(wanted in normalise(" ".join(candidate.breadcrumb)) for candidate in candidates)


def _breadcrumbs_by_expectation(evidence: Evidence, expectations: Sequence[Expectation]) -> list[list[tuple[str, ...]]]:
    """A breadcrumb belongs to the expectations whose section is its last element, and to all if there is none."""
    sections = [normalise(expectation.section or "") for expectation in expectations]
    shared = [path for path in evidence.breadcrumbs if normalise(path[-1]) not in sections]
    return [
        [path for path in evidence.breadcrumbs if path in shared or normalise(path[-1]) == section]
        for section in sections
    ]
