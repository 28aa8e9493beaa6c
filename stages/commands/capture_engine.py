"""`capture` of an engine: all answers or none, the same bytes each time, and no clock."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from stages.commands.earlier_capture import finish_publication, state_before
from stages.commands.engine_answers import Answers, EngineParams, Retriever, open_answers
from stages.commands.golden_cases import golden_cases
from stages.commands.recorded_arm import read_recorded_arm
from stages.commands.rerank_answers import rerank_answers
from stages.core.capture_tally import unavailable_state
from stages.core.case_selection import select_cases
from stages.core.cut_recording import cut_recording
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.params.capture import CaptureParams
from stages.records.params.reranker import RerankerSection
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState, Recording
from stages.retrievers.failure import EngineFailure
from stages.storage.capture_journal import CaptureJournal
from stages.storage.capture_lock import capture_lock
from stages.storage.corpus import read_corpus
from stages.storage.json_file import dump_json
from stages.storage.params import read_params
from stages.storage.reading import Reading
from stages.storage.recordings import (
    parse_recordings,
    recording_files,
    write_path_state,
)
from stages.storage.text_file import read_text

# What is shown of the hybrid needs less depth than an arm that is fused again.
BASELINE_DEPTH = 20
INCONCLUSIVE = 3
BASELINE = Path("data/fixtures/baseline")
PATH_OF = {"hybrid": "fixture", "baseline": "fixture"}


@dataclass(frozen=True)
class Job:
    """One capture of an engine: what is asked, and where the answers go; a reranker searches no corpus."""

    target: str
    path: str
    folder: Path
    cases: list[Case]
    all_ids: frozenset[str]
    args: argparse.Namespace
    inputs: tuple[EngineParams, Sequence[Chunk]] | None

    @property
    def whole(self) -> bool:
        """Whether every golden case is asked; a single file may be one of many, and proves nothing of the others."""
        return len(self.cases) == len(self.all_ids) and all(path.is_dir() for path in self.args.golden)


def capture_engine(args: argparse.Namespace) -> int:
    """Capture one engine; an engine that is not there is a state of the path, and no failure of the command."""
    job = make_job(args)
    if args.dry_run:
        return _print_plan(job)
    if args.probe:
        return _probe(job)
    state = run_job(job)
    if args.json:
        print(dump_json(state), end="")
    return 0


def make_job(args: argparse.Namespace) -> Job:
    """Read everything that says what to ask.

    Raises:
        InputError: whatever is wrong in the golden files, the parameters or the choice of cases.
    """
    if args.resume:
        what, remedy = "an engine is asked as a whole", "Leave it out; vectors that were made are kept"
        raise InputError([Problem("--resume", 0, 0, "", what, remedy)])
    if args.recorded and args.target not in {"hybrid", "baseline"}:
        what, remedy = f"{args.target} has no arms to take from recordings", "Use it with hybrid or baseline"
        raise InputError([Problem("--recorded", 0, 0, "", what, remedy)])
    path = PATH_OF.get(args.target, args.target)
    with Reading() as reading:
        cases = reading.of(golden_cases, args.golden)
        folder = args.out or reading.of(_folder, path)
        inputs = None if args.target == "rerank" else reading.of(_inputs, args.corpus)
    chosen, unknown = select_cases(cases, args.case, args.tag, args.scenario)
    if unknown:
        remedy = "Check --case, --tag and --scenario"
        raise InputError([Problem(str(args.golden[0]), 0, 0, "", what, remedy) for what in unknown])
    return Job(args.target, path, folder, chosen, frozenset(case.id for case in cases), args, inputs)


def _inputs(corpus: Path) -> tuple[EngineParams, Sequence[Chunk]]:
    with Reading() as reading:
        params = reading.of(read_params, EngineParams)
        chunks = reading.of(read_corpus, corpus)
    return params, chunks


def run_job(job: Job) -> PathState:
    """Ask every case, then write every answer; on any failure the last good recordings stay as they are.

    Raises:
        InputError: another capture of the path is running, or nothing can be written.
    """
    with capture_lock(job.folder, job.path):
        return _run_alone(job)


def _run_alone(job: Job) -> PathState:
    journal = CaptureJournal(job.folder)
    finish_publication(journal)
    before = state_before(job.folder, job.path)
    try:
        with open_engine(job) as engine:
            _check_mixture(job, before, engine)
            recordings = [_answer(job, engine, case) for case in _progress(job)]
    except EngineFailure as failure:
        return _unavailable(job, before, failure)
    state = PathState(path=job.path, status="ready", provenance=engine.provenance)
    journal.replace(recordings, state)
    if job.whole:
        _prune(job)
    what = "1 case is" if len(recordings) == 1 else f"{len(recordings)} cases are"
    print(f"{job.target}: {what} recorded in {job.folder}", file=sys.stderr)
    return state


@contextmanager
def open_engine(job: Job) -> Iterator[Answers]:
    """Make the engine of a job ready.

    Raises:
        EngineFailure: it is not there.
    """
    if job.inputs is None:
        yield rerank_answers(read_params(RerankerSection).reranker, BASELINE)
        return
    retriever: Retriever = job.args.retriever if job.target == "baseline" else job.args.target
    recorded = _recorded_milvus(job) if job.args.recorded else None
    with open_answers(retriever, *job.inputs, recorded) as answers:
        yield answers


def _recorded_milvus(job: Job) -> Answers:
    state, recordings = read_recorded_arm(_folder("milvus"), "milvus", job.cases)
    return Answers(state.provenance, lambda case: recordings[case.id])


def _answer(job: Job, engine: Answers, case: Case) -> Recording:
    recording = engine.answer(case)
    depth = job.args.top_k or (BASELINE_DEPTH if job.path == "fixture" else recording.top_k)
    if depth > recording.top_k:
        what = f"--top-k is {depth}, but {job.target} is asked for {recording.top_k} candidates"
        raise InputError([Problem("params.yaml", 0, 0, "", what, "Raise its depth, or ask for fewer")])
    return cut_recording(recording, depth)


def _progress(job: Job) -> Iterator[Case]:
    with tqdm(job.cases, unit="case", desc=job.target, disable=None, file=sys.stderr) as bar:
        yield from bar


def _check_mixture(job: Job, before: PathState, engine: Answers) -> None:
    """Refuse to put some answers beside older ones that were obtained otherwise."""
    others = {file.stem for file in recording_files(job.folder)} - {case.id for case in job.cases}
    if not job.whole and others and before.provenance != engine.provenance:
        what = "the recordings here were made from another corpus, or with another embedder or other parameters"
        raise InputError([Problem(str(job.folder), 0, 0, "", what, "Capture all cases")])


def _prune(job: Job) -> None:
    others = [file for file in recording_files(job.folder) if file.suffix == ".json" and file.stem not in job.all_ids]
    gone = [file for file in others if _is_sound(file)]
    for file in gone:
        file.unlink()
    if gone:
        names = ", ".join(file.stem for file in gone)
        print(f"{job.target}: removed {len(gone)} recordings of cases that are no more: {names}", file=sys.stderr)


def _is_sound(file: Path) -> bool:
    """Whether a file is a recording by what it holds: `--out` may name a folder with other JSON in it."""
    try:
        return bool(parse_recordings(read_text(file), file))
    except InputError:
        return False


def _unavailable(job: Job, before: PathState, failure: EngineFailure) -> PathState:
    state = unavailable_state(before, failure.code, failure.reason)
    write_path_state(job.folder, state)
    kept = len(recording_files(job.folder))
    stay = f"The {kept} recordings in {job.folder} stay" if kept else "There are no earlier recordings"
    print(f"{job.target} is unavailable ({failure.code}): {failure.reason}. {stay}.", file=sys.stderr)
    return state


def _print_plan(job: Job) -> int:
    plan = {"target": job.target, "folder": str(job.folder), "cases": len(job.cases), "first": job.cases[0]}
    print(dump_json(plan), end="")
    return 0


def _probe(job: Job) -> int:
    try:
        with open_engine(job) as engine:
            print(dump_json(_answer(job, engine, job.cases[0])), end="")
    except EngineFailure as failure:
        print(f"{job.target} is unavailable ({failure.code}): {failure.reason}", file=sys.stderr)
        return INCONCLUSIVE
    return 0


def _folder(path: str) -> Path:
    """Return the folder of the recordings; `bm25` has one of its own, since a stage writes that of its path."""
    paths = read_params(CaptureParams).paths
    return Path(paths[path].dir) if path in paths and path != "bm25" else Path("data/fixtures") / path
