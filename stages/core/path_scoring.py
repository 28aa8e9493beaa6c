"""One path, scored whole: the function behind the score stages and `evaluate`."""

from collections.abc import Sequence

from stages.core.aggregating import aggregate, group
from stages.core.case_scoring import score_cases
from stages.core.measure_plan import plan_measures
from stages.records.case import Case
from stages.records.ranking import RankingFile
from stages.records.scored import ScoredPath
from stages.records.yardstick import Yardstick


def score_path(cases: Sequence[Case], rankings: RankingFile, yardstick: Yardstick) -> ScoredPath:
    """Return every case of a path with its level and metrics, and the aggregates."""
    plan = plan_measures(yardstick.top_k, yardstick.cutoffs, yardstick.primary_grain)
    names = [measure.name for measure in plan]
    scored = score_cases(cases, {ranking.case_id: ranking for ranking in rankings.rankings}, plan, yardstick)
    return ScoredPath(
        path=rankings.path,
        yardstick=yardstick,
        state=rankings.state,
        overall=aggregate(scored, names),
        groupings=group(scored, names),
        orphans=rankings.orphans,
        cases=tuple(scored),
    )
