"""What a ranking is measured with: the parameters of scoring, in one record."""

from typing import Literal

from stages.records.record import Record


class Yardstick(Record):
    """Cut-offs and thresholds of hit levels and metrics.

    `relevance_floor`: a candidate with a score at or above it counts as a false positive of an `expected: none`
    case; None counts every candidate.
    """

    top_k: int
    cutoffs: tuple[int, ...]
    primary_grain: Literal["document", "section", "chunk"]
    min_keyword_coverage: float
    relevance_floor: float | None
