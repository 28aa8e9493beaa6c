"""`live --promote`: reviewed live rankings become recordings of the baseline. No verb."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.core.review_view import names
from stages.records.acceptance import Acceptance
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState, Recording
from stages.storage.capture_lock import capture_lock
from stages.storage.reading import Reading
from stages.storage.record_file import read_record
from stages.storage.recordings import (
    LINES_FILE,
    read_path_state,
    read_recordings,
    write_path_state,
    write_recording,
    write_recordings_jsonl,
)


def promote(live: Path, baseline: Path, case_ids: Sequence[str], report: Path) -> int:
    """Copy the live recordings of the chosen cases to the baseline.

    Only what the report shows can have been reviewed: the report must be of the same capture, and cases that it does
    not show keep their baseline, as do those without a good live answer. Raw answers stay behind.

    Raises:
        InputError: the live path is not ready, or the report is missing or of another capture; or one of the two
            is being captured.
    """
    with capture_lock(live, "live"), capture_lock(baseline, "fixture"):
        return _promote(live, baseline, case_ids, report)


def _promote(live: Path, baseline: Path, case_ids: Sequence[str], report: Path) -> int:
    state = read_path_state(live, "live")
    reviewed = _reviewed(state, report)
    with Reading() as reading:
        found, before = (reading.of(read_recordings, folder) for folder in (live, baseline))
    promoted = {
        case_id: found[case_id].model_copy(update={"raw": None})
        for case_id in case_ids
        if case_id in reviewed and case_id in found and case_id not in state.failed and case_id not in state.earlier
    }
    _write(baseline, promoted)
    _write_state(baseline, state, promoted)
    are = "recording of {0} is" if len(promoted) == 1 else "recordings of {0} are"
    print(f"{len(promoted)} {are.format(state.captured_at)} now in {baseline}; run `dvc repro`", file=sys.stderr)
    unseen = sorted(set(case_ids) - reviewed)
    left = sorted(set(case_ids) - promoted.keys() - set(unseen))
    for why, cases in (("without a live answer of this capture", left), ("not in the report", unseen)):
        if cases:
            print(f"{why}, and left as they were: {names(cases)}", file=sys.stderr)
    _warn_of_depth(promoted, before)
    return 0


def _warn_of_depth(promoted: Mapping[str, Recording], before: Mapping[str, Recording]) -> None:
    """Say where the baseline became shallower: beyond its depth a case is not run."""
    shallower = [id_ for id_, one in promoted.items() if id_ in before and one.top_k < before[id_].top_k]
    if shallower:
        now = min(promoted[case_id].top_k for case_id in shallower)
        was = max(before[case_id].top_k for case_id in shallower)
        print(
            f"warning: {len(shallower)} of them hold {now} results where the baseline held {was}, and are not run at a "
            f"larger topK. `retrieval-eval capture live --top-k {was}`, then `live --no-capture`, gives that depth",
            file=sys.stderr,
        )


def _reviewed(state: PathState, report: Path) -> set[str]:
    """Return the cases of the report, which is of the capture that is to be promoted."""
    if state.status == "unavailable":
        what = f"live is unavailable ({state.code}), so there is nothing to promote"
        raise InputError([Problem("live", 0, 0, "", what, "Run `retrieval-eval live` until it is answered")])
    shown = read_record(report, Acceptance) if report.exists() else None
    if shown is None or shown.state.captured_at != state.captured_at:
        of = shown.state.captured_at if shown else None
        what = f"the report is of {of or 'no capture'}, the recordings are of {state.captured_at}"
        remedy = "Run `retrieval-eval live --no-capture`, review the report, then promote"
        raise InputError([Problem(str(report), 0, 0, "", what, remedy)])
    return {case.case_id for case in shown.cases}


def _write(baseline: Path, promoted: Mapping[str, Recording]) -> None:
    """Write into the file of lines where the baseline is one, else one file a case."""
    if (baseline / LINES_FILE).exists():
        write_recordings_jsonl(baseline, {**read_recordings(baseline), **promoted}.values())
        return
    for recording in promoted.values():
        write_recording(baseline, recording)


def _write_state(baseline: Path, live: PathState, promoted: Mapping[str, Recording]) -> None:
    before = read_path_state(baseline, "fixture")
    provenance = {**before.provenance, "promoted_from_live": {"captured_at": live.captured_at, "cases": len(promoted)}}
    ready = {"status": "ready", "code": None, "reason": None, "provenance": provenance}
    write_path_state(baseline, before.model_copy(update=ready))
