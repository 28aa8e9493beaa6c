"""A capture in progress: answers wait beside the recordings until all are in, so that no crash can mix or lose them."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stages.records.capture_plan import CapturePlan
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState, Recording
from stages.storage.json_file import read_json_lines, write_json, write_json_lines
from stages.storage.record_file import read_record
from stages.storage.recordings import LINES_FILE, parse_recordings, recording_files, write_path_state, write_recording
from stages.storage.text_file import read_text

PLAN_FILE = "plan.json"
DONE_FILE = "done.json"
ANSWERS = "answers"


class CaptureJournal:
    """The answers of one unfinished capture of a folder, in `.<folder>.capture` beside it.

    Every step is one atomic file operation. Publishing starts with `done.json`; from then on nothing is asked any
    more, and an interrupted publication is finished by `finish`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting = folder.parent / f".{folder.name}.capture"

    def plan(self) -> CapturePlan | None:
        """Return the plan of an unfinished capture, None where there is none.

        Raises:
            InputError: it is damaged.
        """
        file = self._waiting / PLAN_FILE
        try:
            return read_record(file, CapturePlan) if file.exists() else None
        except InputError as error:
            raise InputError([_of_the_plan(problem) for problem in error.problems]) from None

    def done(self) -> PathState | None:
        """Return the state that a publication which was interrupted ends in, None where there is none.

        Raises:
            InputError: it is damaged.
        """
        file = self._waiting / DONE_FILE
        return read_record(file, PathState) if file.exists() else None

    def reopen(self) -> None:
        """Take away that all answers are in: those which were not published wait as before."""
        (self._waiting / DONE_FILE).unlink(missing_ok=True)

    def begin(self, plan: CapturePlan) -> None:
        """Start anew; what an unfinished capture left behind is dropped."""
        self.drop()
        write_json(self._waiting / PLAN_FILE, plan)

    def answered(self) -> set[str]:
        """Return the ids of the cases whose answers are in."""
        return {file.stem for file in (self._waiting / ANSWERS).glob("*.json") if not file.name.startswith(".")}

    def recorded(self) -> set[str]:
        """Return the ids of the cases which the folder has a recording of, from an earlier capture or an import."""
        names = {file.stem for file in recording_files(self._folder) if file.suffix == ".json"}
        lines = self._folder / LINES_FILE
        found = {_case_id(value) for _, value in read_json_lines(lines)} if lines.exists() else set()
        return names | (found - {""})

    def keep(self, recording: Recording) -> None:
        """Keep one answer, whole or not at all."""
        write_recording(self._waiting / ANSWERS, recording)

    def answer(self, case_id: str) -> Recording:
        """Return the answer to one case.

        Raises:
            InputError: it is damaged.
        """
        file = self._waiting / ANSWERS / f"{case_id}.json"
        return parse_recordings(read_text(file), file)[0]

    def discard(self, case_id: str) -> None:
        """Drop the answer to one case, which is to be asked again."""
        (self._waiting / ANSWERS / f"{case_id}.json").unlink(missing_ok=True)

    def replace(self, recordings: Iterable[Recording], state: PathState) -> None:
        """Put recordings that are all at hand, and the state, in the place of the last ones: all of them or none."""
        self.drop()
        try:
            for recording in recordings:
                self.keep(recording)
        except InputError:
            self.drop()
            raise
        self.publish(state)

    def publish(self, state: PathState) -> None:
        """Put the answers and the state in the place of the last ones."""
        write_json(self._waiting / DONE_FILE, state)
        self.finish()

    def finish(self) -> bool:
        """Finish a publication that was interrupted; say whether there was one."""
        state = self.done()
        if state is None:
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        self._drop_lines()
        for case_id in sorted(self.answered()):
            (self._waiting / ANSWERS / f"{case_id}.json").replace(self._folder / f"{case_id}.json")
        write_path_state(self._folder, state)
        self.drop()
        return True

    def _drop_lines(self) -> None:
        """Take what is about to be renewed out of a file of lines, as an import leaves one."""
        lines = self._folder / LINES_FILE
        if not lines.exists():
            return
        kept = [value for _, value in read_json_lines(lines) if _case_id(value) not in self.answered()]
        write_json_lines(lines, kept)
        if not kept:
            lines.unlink()

    def drop_if_empty(self) -> None:
        """Remove a capture which nothing has answered."""
        if not self.answered():
            self.drop()

    def drop(self) -> None:
        """Remove what is waiting; the mark that it is complete goes last but for the plan, which goes first."""
        (self._waiting / PLAN_FILE).unlink(missing_ok=True)
        shutil.rmtree(self._waiting, ignore_errors=True)


def _of_the_plan(problem: Problem) -> Problem:
    what = f"the plan of the interrupted capture is damaged: {problem.message}"
    return problem._replace(message=what, remedy="Start anew, without --resume")


def _case_id(value: Any) -> str:
    """Return the case of a line; a line that is no recording stays for the reader to complain of."""
    case_id = value.get("case_id") if isinstance(value, dict) else None
    return case_id if isinstance(case_id, str) else ""
