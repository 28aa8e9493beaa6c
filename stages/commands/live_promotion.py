"""`live --promote`: reviewed live rankings become recordings of the baseline. No verb."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.records.acceptance import Acceptance
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState, Recording
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

    Only what the report shows can have been reviewed: the report must be of the same capture. Cases without a good
    live answer keep their baseline. Raw answers stay behind.

    Raises:
        InputError: the live path is not ready, or the report is missing or of another capture.
    """
    state = read_path_state(live, "live")
    _refuse_unreviewed(state, report)
    found = read_recordings(live)
    promoted = {
        case_id: found[case_id].model_copy(update={"raw": None})
        for case_id in case_ids
        if case_id in found and case_id not in state.failed and case_id not in state.earlier
    }
    _write(baseline, promoted)
    _write_state(baseline, state, promoted)
    left = sorted(set(case_ids) - promoted.keys())
    print(f"{len(promoted)} recordings of {state.captured_at} are now in {baseline}; run `dvc repro`", file=sys.stderr)
    if left:
        print(f"without a live answer of this capture, and left as they were: {', '.join(left)}", file=sys.stderr)
    return 0


def _refuse_unreviewed(state: PathState, report: Path) -> None:
    if state.status == "unavailable":
        what = f"live is unavailable ({state.code}), so there is nothing to promote"
        raise InputError([Problem("live", 0, 0, "", what, "Run `retrieval-eval live` until it is answered")])
    reviewed = read_record(report, Acceptance).state.captured_at if report.exists() else None
    if reviewed != state.captured_at:
        what = f"the report is of {reviewed or 'no capture'}, the recordings are of {state.captured_at}"
        remedy = "Run `retrieval-eval live --no-capture`, review the report, then promote"
        raise InputError([Problem(str(report), 0, 0, "", what, remedy)])


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
