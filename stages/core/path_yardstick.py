"""What the rankings of a path are measured with, as the parameters say."""

from stages.records.params.score import ScoreParams
from stages.records.yardstick import Yardstick


def path_yardstick(params: ScoreParams, path: str) -> Yardstick:
    """Return the yardstick of a path that is in the parameters; the cut-offs sorted, each once."""
    return Yardstick(
        top_k=params.top_k,
        cutoffs=tuple(sorted(set(params.cutoffs))),
        primary_grain=params.hit_levels.primary_grain,
        min_keyword_coverage=params.hit_levels.min_keyword_coverage,
        relevance_floor=params.paths[path].relevance_floor,
    )
