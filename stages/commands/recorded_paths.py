"""The paths of params.yaml as rankings, from their recordings, without DVC."""

from collections.abc import Sequence
from pathlib import Path

from stages.core.replay import replay_path
from stages.records.case import Case
from stages.records.params.score import ScoreParams
from stages.records.ranking import RankingFile
from stages.storage.recordings import read_path_state, read_recordings


def recorded_path(cases: Sequence[Case], params: ScoreParams, path: str) -> RankingFile:
    """Return the rankings of one path; a path never captured has the state `unavailable`.

    Raises:
        InputError: a recording is faulty.
    """
    folder = Path(params.paths[path].dir)
    return replay_path(cases, read_recordings(folder), read_path_state(folder, path), params.top_k, params.cutoffs)
