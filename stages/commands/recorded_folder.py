"""A folder of recordings that a verb was given by name. No verb."""

from pathlib import Path

from stages.core.hybrid_path import PathAnswers
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState
from stages.storage.reading import Reading
from stages.storage.recordings import STATE_FILE, read_path_state, read_recordings


def path_answers(folder: Path, path: str) -> PathAnswers:
    """Return the state and the recordings of a path; never captured is a state like any other.

    Raises:
        InputError: everything that is wrong in the folder.
    """
    with Reading() as reading:
        state = reading.of(read_path_state, folder, path)
        recordings = reading.of(read_recordings, folder)
    return PathAnswers(state, recordings)


def given_folder(folder: Path) -> PathAnswers:
    """Return what a folder holds that was named on the command line; without a state it is ready.

    Raises:
        InputError: there is no such folder, or something is wrong in it.
    """
    if not folder.is_dir():
        what = "there is no such folder of recordings"
        raise InputError([Problem(str(folder), 0, 0, "", what, "Name it with --fixtures, or capture one")])
    found = path_answers(folder, "fixture")
    if (folder / STATE_FILE).exists():
        return found
    return PathAnswers(PathState(path="fixture", status="ready"), found.recordings)
