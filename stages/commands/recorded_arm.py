"""An arm of the hybrid that is not asked again: what it recorded answers for it."""

from collections.abc import Sequence
from pathlib import Path

from stages.commands.recorded_folder import path_answers
from stages.records.case import Case
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState, Recording


def read_recorded_arm(folder: Path, name: str, cases: Sequence[Case]) -> tuple[PathState, dict[str, Recording]]:
    """Return the state and the recordings of an arm which has answered every one of `cases`.

    Raises:
        InputError: the arm is down or was never captured; every case without a recording of its present query.
    """
    found = path_answers(folder, name)
    state, recordings = found.state, dict(found.recordings)
    remedy = f"Capture {name} first, or leave --recorded out"
    if state.status == "unavailable":
        raise InputError([Problem(str(folder), 0, 0, "", f"{name} is unavailable: {state.reason}", remedy)])
    lacking = [case for case in cases if case.id not in recordings or recordings[case.id].query != case.query]
    if lacking:
        what = f"{name} has no recording of this query"
        raise InputError([Problem(str(folder), 0, 0, case.id, what, remedy) for case in lacking])
    return state, recordings
