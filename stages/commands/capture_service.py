"""`capture` of a service: current, sidecar or live."""

import argparse
import asyncio
import gc
import hashlib
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tqdm import tqdm

from stages.commands.earlier_capture import finish_publication, state_before, warn
from stages.commands.golden_cases import golden_cases
from stages.commands.service_capture import Capture
from stages.commands.service_probe import print_request, probe
from stages.commands.service_question import Question, open_question
from stages.core.capture_tally import CaptureTally, captured_state, unavailable_state
from stages.core.case_selection import select_cases
from stages.core.health_reading import Readiness
from stages.core.request_template import value_names
from stages.records.capture_plan import CapturePlan
from stages.records.case import Case
from stages.records.params.capture import CaptureParams
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState
from stages.records.services import Service
from stages.storage.capture_journal import CaptureJournal
from stages.storage.capture_lock import capture_lock
from stages.storage.json_file import dump_json
from stages.storage.params import read_params
from stages.storage.reading import Reading
from stages.storage.recordings import recording_files, write_path_state
from stages.storage.services import read_services


@dataclass(frozen=True)
class Job:
    """One capture: which path, what to ask, and where answers go."""

    file: Path
    path: str
    service: Service
    cases: list[Case]
    top_k: int
    folder: Path
    journal: CaptureJournal
    plan: CapturePlan


def capture_service(args: argparse.Namespace) -> int:
    """Capture one service path; a service that is not there is a state of the path, and no failure of the command."""
    job = make_job(args, args.target)
    if args.dry_run:
        return print_request(job.service, job.cases[0], job.top_k)
    if args.probe:
        return asyncio.run(probe(open_question(job.file, job.path, job.service), job.cases[0], job.top_k))
    state = run_job(job, resume=args.resume)
    if args.json:
        print(dump_json(state), end="")
    return 0


def make_job(args: argparse.Namespace, path: str) -> Job:
    """Read everything that a capture needs.

    Raises:
        InputError: whatever is wrong in the golden files, the parameters, the services or the choice of cases.
    """
    with Reading() as reading:
        cases = reading.of(golden_cases, args.golden)
        service = reading.of(_service, args.services, path)
        params = reading.of(read_params, CaptureParams)
    _warn_of_nothing_asked(path, service)
    top_k = args.top_k or params.top_k
    folder = args.out or Path(params.paths[path].dir if path in params.paths else f"data/fixtures/{path}")
    journal = CaptureJournal(folder)
    digest = hashlib.sha256(f"{service.model_dump_json()} {top_k}".encode()).hexdigest()[:16]
    plan = journal.plan() if args.resume else None
    chosen = _resumed(plan, digest, cases, folder) if plan else _chosen(args, cases)
    if plan is None:
        plan = CapturePlan(started_at=_now(), digest=digest, case_ids=tuple(case.id for case in chosen))
    return Job(args.services, path, service, chosen, top_k, folder, journal, plan)


def run_job(job: Job, *, resume: bool) -> PathState:
    """Capture, and return the new state of the path, which is written whatever happens.

    Raises:
        InputError: another capture of the path is running, or nothing can be written.
    """
    with capture_lock(job.folder, job.path):
        return _run_alone(job, resume=resume)


def _run_alone(job: Job, *, resume: bool) -> PathState:
    before = state_before(job.folder, job.path)
    if not job.service.enabled:
        state = unavailable_state(before, "disabled", f"{job.path} is disabled in services.yaml")
        return _unavailable(job, state, "")
    question = open_question(job.file, job.path, job.service)
    if finish_publication(job.journal):
        print(f"finished writing the answers of an interrupted capture to {job.folder}", file=sys.stderr)
        before = state_before(job.folder, job.path)
        if resume:
            return before
    return _concluded(job, before, *_asked(job, question, resume=resume))


def _begin(job: Job, *, resume: bool) -> None:
    """Start anew, but not before the service has shown to be there: until then earlier answers wait."""
    waiting = _waiting(job)
    if resume and waiting is not None:
        return
    if resume:
        print(f"there is no interrupted capture of {job.path}; starting anew", file=sys.stderr)
    elif waiting:
        print(f"dropped {waiting} answers of an interrupted capture; --resume would have gone on", file=sys.stderr)
    job.journal.begin(job.plan)


def _waiting(job: Job) -> int | None:
    """Return how many answers an interrupted capture has kept, None where there was none."""
    try:
        return len(job.journal.answered()) if job.journal.plan() else None
    except InputError as error:
        waiting = len(job.journal.answered())
        warn(f"an interrupted capture is damaged; its {waiting} answers are dropped, and this one starts anew", error)
        return 0


def _asked(job: Job, question: Question, *, resume: bool) -> tuple[Readiness, Capture | None]:
    gc.freeze()  # else the collector looks at all golden cases again and again, a tenth of the time
    try:
        return asyncio.run(_ask(job, question, resume=resume))
    except KeyboardInterrupt:
        kept = len(job.journal.answered())
        print(f"\n{kept} of {len(job.cases)} answers are kept; go on with --resume", file=sys.stderr)
        raise
    except BaseExceptionGroup as group:
        # The workers' first fault, such as a full disk: the others only stopped because of it.
        raise group.exceptions[0] from None
    finally:
        gc.unfreeze()


async def _ask(job: Job, question: Question, *, resume: bool) -> tuple[Readiness, Capture | None]:
    async with question.client:
        readiness = await question.readiness()
        if readiness.status == "unavailable":
            return readiness, None
        _begin(job, resume=resume)
        answered = job.journal.answered()
        with tqdm(total=len(job.cases), unit="case", desc=job.path, disable=None, file=sys.stderr) as bar:
            capture = Capture(question, job.journal, job.top_k, bar.update)
            open_cases = [case for case in job.cases if not capture.take_over(case, answered)]
            if capture.damaged:
                names = ", ".join(capture.damaged)
                print(f"answers that waited are damaged, and are asked again: {names}", file=sys.stderr)
            await capture.run(open_cases)
    return readiness, capture


def _concluded(job: Job, before: PathState, readiness: Readiness, capture: Capture | None) -> PathState:
    if capture is None:
        return _unavailable(job, unavailable_state(before, readiness.code or "", readiness.reason or ""), "")
    tally = capture.tally
    if capture.gave_up:
        limit = job.service.limits.give_up_after
        print(f"gave up after {limit} cases in a row without a usable answer (limits.give_up_after)", file=sys.stderr)
    if capture.gave_up or not tally.answered:
        return _unavailable(job, *_lost(job, before, capture))
    asked = {case.id for case in job.cases}
    kept = job.journal.recorded() - (asked - tally.failed.keys())
    moments = {case_id: before.earlier.get(case_id) or before.captured_at for case_id in kept}
    tally.failed.update({case: failure for case, failure in before.failed.items() if case not in asked})
    state = captured_state(tally, readiness, before, moments, job.plan.started_at)
    state = state.model_copy(update={"provenance": _provenance(job, tally, before)})
    job.journal.publish(state)
    words = f"{job.path}: {tally.answered} of {len(job.cases)} cases are recorded in {job.folder}"
    print(f"{words}; {state.status}" + (f": {state.reason}" if state.reason else ""), file=sys.stderr)
    alike = tally.all_alike()
    if alike:
        print(f"warning: {alike}", file=sys.stderr)
    return state


def _lost(job: Job, before: PathState, capture: Capture) -> tuple[PathState, str]:
    failure = capture.tally.most_frequent_failure()
    answered = capture.tally.answered
    how = f"{answered} of {len(job.cases)} cases were answered" if answered else "no case was answered"
    hint = "" if not answered else " The answers are kept apart; go on with --resume."
    job.journal.drop_if_empty()
    return unavailable_state(before, failure.code, f"{how}: {failure.reason}"), hint


def _unavailable(job: Job, state: PathState, hint: str) -> PathState:
    write_path_state(job.folder, state)
    kept = len(recording_files(job.folder))
    stay = f"The {kept} recordings in {job.folder} stay." if kept else "There are no earlier recordings."
    stay = f"The recordings of {state.captured_at} stay." if state.captured_at else stay
    print(f"{job.path} is unavailable ({state.code}): {state.reason}. {stay}{hint}", file=sys.stderr)
    return state


def _provenance(job: Job, tally: CaptureTally, before: PathState) -> dict[str, object]:
    score = job.service.score
    return {
        "service": job.path,
        "request": job.plan.digest,
        "top_k": job.top_k,
        "asked": len(job.cases),
        "answered": tally.answered,
        "score": {"kind": score.kind, "better": score.better} if score else None,
        "index": tally.indexes(),
        "previous": {"captured_at": before.captured_at, "index": before.provenance.get("index", [])},
    }


def _service(file: Path, path: str) -> Service:
    services = read_services(file).services
    for name, service in services.items():
        if name == path:
            return service
    what = f"no service {path!r} is described"
    raise InputError([Problem(str(file), 0, 0, "", what, "Describe it; docs/services.md shows how")])


def _warn_of_nothing_asked(path: str, service: Service) -> None:
    """Warn of a misspelt placeholder: every answer would look like one, and all be the same."""
    request = service.request
    names = value_names([request.url, request.headers, request.params, request.body])
    if not names & {"query", "vector", "case_id"}:
        unknown = ", ".join(f"{{{{{name}}}}} is unknown" for name in sorted(names - {"topK"}))
        found = f" ({unknown})" if unknown else ""
        what = f"services.{path}.request holds neither {{{{query}}}} nor {{{{vector}}}}{found}"
        print(f"warning: {what}, so it asks the same for every case", file=sys.stderr)


def _chosen(args: argparse.Namespace, cases: list[Case]) -> list[Case]:
    chosen, unknown = select_cases(cases, args.case, args.tag, args.scenario)
    if unknown:
        remedy = "Check --case, --tag and --scenario"
        raise InputError([Problem(str(args.golden[0]), 0, 0, "", what, remedy) for what in unknown])
    return chosen


def _resumed(plan: CapturePlan, digest: str, cases: list[Case], folder: Path) -> list[Case]:
    if plan.digest != digest:
        what = "the service's description or topK has changed since the interrupted capture began"
        raise InputError([Problem(str(folder), 0, 0, "", what, "Start again without --resume")])
    planned = set(plan.case_ids)
    return [case for case in cases if case.id in planned]


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
