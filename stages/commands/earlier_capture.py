"""What an earlier capture left behind, damaged or not: none of it may block the next one for good. No verb."""

import sys
from pathlib import Path

from stages.records.problem import InputError
from stages.records.recording import PathState
from stages.storage.capture_journal import CaptureJournal
from stages.storage.recordings import never_captured, read_path_state


def state_before(folder: Path, path: str) -> PathState:
    """Return the state until now, as this path's: whoever copied a folder copied the other path's name with it.

    A damaged state counts as none, with a warning: the capture writes it anew, and the recordings stay.
    """
    try:
        state = read_path_state(folder, path)
    except InputError as error:
        warn("the state of the last capture is damaged, and counts as never captured; the recordings stay", error)
        state = never_captured(path)
    return state.model_copy(update={"path": path})


def finish_publication(journal: CaptureJournal) -> bool:
    """Finish a publication that was interrupted; say whether there was one.

    Where the mark of it is damaged there is none, with a warning: what was not published yet waits as before.
    """
    try:
        journal.done()
    except InputError as error:
        warn("the mark of an interrupted capture whose answers were all in is damaged, and dropped", error)
        journal.reopen()
    return journal.finish()


def warn(what: str, error: InputError) -> None:
    """Warn of damage, with its places."""
    where = "; ".join(str(problem).rpartition(f". {problem.remedy}.")[0] for problem in error.problems)
    print(f"warning: {what} ({where})", file=sys.stderr)
