"""One side of a review from the files of a revision or of the working tree."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from stages.core.case_building import build_case, case_problems
from stages.core.chunk_candidate import chunk_candidate
from stages.core.hybrid_path import PathAnswers
from stages.core.path_yardstick import path_yardstick
from stages.core.winnability import unwinnable_reason
from stages.records.case import Case
from stages.records.located_case import LocatedCase
from stages.records.params.score import ScoreParams
from stages.records.problem import InputError, Problem
from stages.records.recording import Candidate, PathState, Recording
from stages.records.side import Side
from stages.storage.corpus import read_corpus
from stages.storage.git_objects import read_revision
from stages.storage.golden import ids_used_twice, parse_golden
from stages.storage.params import parse_params
from stages.storage.reading import Reading
from stages.storage.recordings import (
    STATE_FILE,
    collect_recordings,
    is_recording,
    never_captured,
    parse_path_state,
    parse_recordings,
)
from stages.storage.report_word import FILES, parse_word
from stages.storage.text_file import decode_text
from stages.storage.work_tree import read_work_tree
from stages.storage.yaml_file import parse_yaml

PARAMS = "params.yaml"
GOLDEN = "data/golden"
CORPUS = "data/corpus"
PLACES = (PARAMS, GOLDEN, CORPUS, *FILES)

M = TypeVar("M", bound=BaseModel)


def read_side(root: Path, commit: str | None, name: str, path: str) -> Side | None:
    """Return one path as a commit has it, or the working tree where `commit` is None.

    A side without params.yaml, without golden cases, or without the path has no cases: None.

    Raises:
        InputError: everything wrong with the files; those of a commit are named `<commit>:<file>`.
    """
    try:
        return _read_side(root, commit, name, path)
    except InputError as error:
        if commit is None:
            raise
        short = commit[:7]
        raise InputError([p._replace(file=_at(short, p.file)) for p in error.problems]) from None


def read_files(root: Path, commit: str | None, places: Sequence[str]) -> dict[str, bytes]:
    """Return path to content at or below `places`, of a commit or of the working tree."""
    return read_work_tree(root, places) if commit is None else read_revision(root, commit, places)


def read_section(files: Mapping[str, bytes], model: type[M]) -> M:
    """Return the sections of params.yaml that `model` names."""
    return parse_params(model, parse_yaml(decode_text(files[PARAMS], PARAMS), PARAMS))


def _at(commit: str, file: str) -> str:
    return file if file.startswith(f"{commit}:") else f"{commit}:{file}"


def _read_side(root: Path, commit: str | None, name: str, path: str) -> Side | None:
    files = read_files(root, commit, PLACES)
    golden = _below(files, GOLDEN)
    if PARAMS not in files or not golden:
        return None
    with Reading() as reading:
        params = reading.of(read_section, files, ScoreParams)
        located = reading.of(_read_golden, golden)
        corpus = reading.of(_read_corpus, _below(files, CORPUS))
        answers = reading.of(_answers, root, commit, params, path)
    if answers is None:
        return None
    word, fault = parse_word(files, path)
    return Side(
        name=name,
        cases={one.case.id: _marked(build_case(one), corpus) for one in sorted(located, key=lambda one: one.case.id)},
        places={one.case.id: (one.file, one.places.get(("id",), (1, 1))[0]) for one in located},
        recordings=answers.recordings,
        state=answers.state,
        yardstick=path_yardstick(params, path),
        word=word,
        word_fault=fault,
    )


def _below(files: Mapping[str, bytes], folder: str) -> tuple[tuple[str, bytes], ...]:
    return tuple((name, raw) for name, raw in files.items() if name.startswith(f"{folder}/"))


def _read_golden(files: Iterable[tuple[str, bytes]]) -> list[LocatedCase]:
    located: list[LocatedCase] = []
    problems: list[Problem] = []
    for name, raw in files:
        # The folder itself is what `load` reads: no files of subfolders.
        if Path(name).suffix in {".yaml", ".yml"} and Path(name).parent.as_posix() == GOLDEN:
            try:
                located.extend(_golden_file(name, raw))
            except InputError as error:
                problems.extend(error.problems)
    problems.extend(ids_used_twice(located))
    problems.extend(problem for one in located for problem in case_problems(one))
    if problems:
        raise InputError(problems)
    return located


@cache
def _golden_file(name: str, raw: bytes) -> list[LocatedCase]:
    """Cached, so that what both sides share is read once."""
    return parse_golden(parse_yaml(decode_text(raw, name), name))


def _answers(root: Path, commit: str | None, params: ScoreParams, path: str) -> PathAnswers | None:
    if path not in params.paths:
        return None
    folder = Path(params.paths[path].dir)
    files = read_files(root, commit, [folder.as_posix()])
    with Reading() as reading:
        state = reading.of(_state, files, folder, path)
        recordings = reading.of(_recordings, files)
    return PathAnswers(state, recordings)


def _recordings(files: Mapping[str, bytes]) -> dict[str, Recording]:
    known = {Path(name): raw for name, raw in files.items() if is_recording(Path(name))}
    return collect_recordings(known, lambda name: _recording_file(name, known[name]))


@cache
def _recording_file(name: Path, raw: bytes) -> list[Recording]:
    return parse_recordings(decode_text(raw, str(name)), name)


def _state(files: Mapping[str, bytes], folder: Path, path: str) -> PathState:
    name = (folder / STATE_FILE).as_posix()
    if name not in files:
        return never_captured(path)
    return parse_path_state(decode_text(files[name], name), name)


@dataclass(frozen=True, eq=False)
class _Corpus:
    """Compared by identity: the same files on both sides are one corpus."""

    candidates: tuple[Candidate, ...]


@cache
def _read_corpus(files: tuple[tuple[str, bytes], ...]) -> _Corpus | None:
    """Return the corpus, or None where a side has none: then nothing can be called unwinnable."""
    if not files:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for name, raw in files:
            file = Path(folder, Path(name).relative_to(CORPUS))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(raw)
        try:
            chunks = read_corpus(Path(folder))
        except InputError as error:
            moved = [p._replace(file=p.file.replace(folder, CORPUS)) for p in error.problems]
            raise InputError(moved) from None
    return _Corpus(tuple(chunk_candidate(chunk) for chunk in chunks))


def _marked(case: Case, corpus: _Corpus | None) -> Case:
    reason = _unwinnable(case, corpus) if corpus else None
    return case.model_copy(update={"unwinnable": reason}) if reason else case


@cache
def _unwinnable(case: Case, corpus: _Corpus) -> str | None:
    return unwinnable_reason(case, corpus.candidates)
