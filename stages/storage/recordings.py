"""Folders of recordings: one JSON file a case, or many as lines, and the state of the path."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from stages.records.problem import InputError, Problem
from stages.records.recording import CaseFailure, PathState, Recording
from stages.storage.json_file import write_json, write_json_lines
from stages.storage.json_place import Location
from stages.storage.reading import Reading
from stages.storage.record_file import parse_record, place_in
from stages.storage.text_file import read_text

STATE_FILE = "recording.json"
LINES_FILE = "recordings.jsonl"
REMEDY = "Capture the case again"

Told = TypeVar("Told", CaseFailure, PathState, Recording)


def read_recordings(folder: Path) -> dict[str, Recording]:
    """Return the recordings of a folder by case id, sorted; the folder may be missing or empty.

    Raises:
        InputError: every file that is unreadable, every name that is not its case's, every case recorded twice.
    """
    return collect_recordings(recording_files(folder), lambda path: parse_recordings(read_text(path), path))


def collect_recordings(files: Iterable[Path], read: Callable[[Path], list[Recording]]) -> dict[str, Recording]:
    """Return what `read` finds in the files by case id, sorted.

    Raises:
        InputError: everything that `read` raises, every case recorded twice.
    """
    found: dict[str, tuple[Path, Recording]] = {}
    problems: list[Problem] = []
    for path in files:
        try:
            for recording in read(path):
                if recording.case_id in found:
                    problems.append(_twice(path, recording.case_id, found[recording.case_id][0]))
                found[recording.case_id] = (path, recording)
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return {case_id: found[case_id][1] for case_id in sorted(found)}


def recording_files(folder: Path) -> list[Path]:
    """Return the files of a folder which hold recordings, sorted by name."""
    return sorted(path for path in folder.iterdir() if is_recording(path)) if folder.is_dir() else []


def is_recording(path: Path) -> bool:
    """Whether a file of a path's folder holds recordings, by its name."""
    return path.suffix in {".json", ".jsonl"} and path.name != STATE_FILE and not path.name.startswith(".")


def parse_recordings(text: str, path: Path) -> list[Recording]:
    """Return the recordings of one file that was read already.

    Raises:
        InputError: no strict JSON, not the shape of a recording, ranks that are not 1, 2, 3 and so on, or a name
            that is not its case's.
    """
    if path.suffix != ".jsonl":
        return [_parsed(text, path, 1, path.stem)]
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    with Reading() as reading:
        return [reading.of(_parsed, line, path, number, None) for number, line in lines]


def write_recording(folder: Path, recording: Recording) -> None:
    """Write one recording as `<case id>.json`, atomically."""
    write_json(folder / f"{recording.case_id}.json", recording)


def write_recordings_jsonl(folder: Path, recordings: Iterable[Recording]) -> None:
    """Write all recordings of a folder as lines of one file, sorted by case id."""
    write_json_lines(folder / LINES_FILE, sorted(recordings, key=lambda recording: recording.case_id))


def read_path_state(folder: Path, path: str) -> PathState:
    """Return the state of a path; a folder without `recording.json` was never captured.

    Raises:
        InputError: the file is no state.
    """
    file = folder / STATE_FILE
    if not file.exists():
        return never_captured(path)
    return parse_path_state(read_text(file), str(file))


def parse_path_state(text: str, file: str) -> PathState:
    """Return the state of a path from its file's text; every failure in it has a code and a reason.

    Raises:
        InputError: the text is no state.
    """
    state = parse_record(text, PathState, file)
    failed = {case_id: _explained(failure, failure.state) for case_id, failure in state.failed.items()}
    state = state.model_copy(update={"failed": failed}) if failed else state
    return state if state.status == "ready" else _explained(state, state.status)


def never_captured(path: str) -> PathState:
    """Return the state of a path without `recording.json`."""
    return PathState(path=path, status="unavailable", code="not_captured", reason=f"{path} was never captured")


def write_path_state(folder: Path, state: PathState) -> None:
    """Write `recording.json`, atomically."""
    write_json(folder / STATE_FILE, state)


def _parsed(text: str, path: Path, line: int, name: str | None) -> Recording:
    recording = parse_record(text, Recording, str(path), REMEDY, line)
    problems = [
        Problem(str(path), *place_in(text, location, line), recording.case_id, what, remedy)
        for location, what, remedy in _faults(recording, name)
    ]
    if problems:
        raise InputError(problems)
    return _explained(recording, "error") if recording.state == "error" or recording.code else recording


def _faults(recording: Recording, name: str | None) -> Iterator[tuple[Location, str, str]]:
    """Yield where a recording contradicts itself or the name of its file, in which way, and what to do."""
    if name is not None and recording.case_id != name:
        what = f"the file is named {name!r} but records the case {recording.case_id!r}"
        yield ("case_id",), what, "Name the file after its case"
    if recording.state == "ok" and "candidates" not in recording.model_fields_set:
        yield (), "candidates is missing, and without it an answer cannot be told from an empty one", REMEDY
    ranks = [candidate.rank for candidate in recording.candidates]
    wrong = next((at for at, rank in enumerate(ranks) if rank != at + 1), None)
    if wrong is not None:
        what = f"the candidates have the ranks {', '.join(map(str, ranks[:20]))}, not 1, 2, 3 and so on"
        yield ("candidates", wrong, "rank"), what, REMEDY


def _explained(told: Told, code: str) -> Told:
    """Return what tells of a fault with a code and a reason: a file that others wrote may hold neither."""
    given = (told.code or "").strip()
    unexplained = f"no reason was recorded, only the code {given}" if given else "no reason was recorded"
    return told.model_copy(update={"code": given or code, "reason": (told.reason or "").strip() or unexplained})


def _twice(path: Path, case_id: str, first: Path) -> Problem:
    where = "the same file" if path == first else first.name
    return Problem(str(path), 0, 0, case_id, f"the case is recorded twice, also in {where}", "Remove one recording")
