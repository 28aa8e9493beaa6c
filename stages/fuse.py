"""DVC stage `fuse`: the recorded arms, fused and reranked, as recordings that `retrieve@hybrid` replays."""

import sys
from pathlib import Path

from stages.core.arm_answer import arm_answer
from stages.core.hybrid import hybrid_recording
from stages.core.hybrid_state import hybrid_state
from stages.records.case import CaseFile
from stages.records.params.fuse import FuseParams
from stages.rendering.terminal import run_reporting
from stages.storage.params import read_params
from stages.storage.record_file import read_record
from stages.storage.recordings import read_path_state, read_recordings, write_path_state, write_recordings_jsonl

CASES = Path("data/build/cases.json")
ARMS = {"bm25": Path("data/build/bm25"), "milvus": Path("data/fixtures/milvus")}
RECORDINGS = Path("data/build/hybrid")


def main() -> None:
    """Fuse what the arms recorded for every case; an arm of weight 0 is left out, and is not missed."""
    params = read_params(FuseParams)
    weights = params.hybrid.weights.model_dump()
    arms = {
        name: (read_path_state(folder, name), read_recordings(folder)) for name, folder in ARMS.items() if weights[name]
    }
    recordings = []
    for case in read_record(CASES, CaseFile).cases:
        answers = {
            name: arm_answer(case, state, found.get(case.id), params.hybrid.depth)
            for name, (state, found) in arms.items()
        }
        recordings.append(hybrid_recording(case.id, case.query, answers, params.hybrid, params.rerank))
    write_recordings_jsonl(RECORDINGS, recordings)
    provenance = {
        "engine": "hybrid",
        "params": params.model_dump(mode="json"),
        "arms": {name: state.provenance for name, (state, _) in arms.items()},
    }
    write_path_state(RECORDINGS, hybrid_state(recordings, provenance))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
