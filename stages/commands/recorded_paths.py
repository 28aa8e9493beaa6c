"""The paths of params.yaml as rankings, from their recordings, without DVC."""

from collections.abc import Sequence
from pathlib import Path

from stages.commands.recorded_folder import path_answers
from stages.core.hybrid_path import PathAnswers
from stages.core.replay import replay_path
from stages.records.case import Case
from stages.records.params.score import ScoreParams
from stages.records.ranking import RankingFile


def recorded_answers(params: ScoreParams, path: str) -> PathAnswers:
    """Return what was recorded of one path; a path never captured has the state `unavailable`.

    Raises:
        InputError: everything that is wrong in its folder.
    """
    return path_answers(Path(params.paths[path].dir), path)


def replayed_path(cases: Sequence[Case], params: ScoreParams, found: PathAnswers) -> RankingFile:
    """Return the rankings of one path at topK."""
    return replay_path(cases, found.recordings, found.state, params.top_k, params.cutoffs)
