"""DVC stage `fuse`: the recorded arms, fused and reranked, as recordings that `retrieve@hybrid` replays."""

import sys
from pathlib import Path

from stages.core.hybrid_path import PathAnswers, hybrid_path
from stages.records.case import CaseFile
from stages.records.params.fuse import FuseParams
from stages.rendering.terminal import run_reporting
from stages.storage.params import read_params
from stages.storage.reading import Reading
from stages.storage.record_file import read_record
from stages.storage.recordings import read_path_state, read_recordings, write_path_state, write_recordings_jsonl

CASES = Path("data/build/cases.json")
ARMS = {"bm25": Path("data/build/bm25"), "milvus": Path("data/fixtures/milvus")}
RECORDINGS = Path("data/build/hybrid")


def main() -> None:
    """Fuse what the arms recorded for every case."""
    with Reading() as reading:
        params = reading.of(read_params, FuseParams)
        states = {name: reading.of(read_path_state, folder, name) for name, folder in ARMS.items()}
        recordings = {name: reading.of(read_recordings, folder) for name, folder in ARMS.items()}
    arms = {name: PathAnswers(states[name], recordings[name]) for name in ARMS}
    hybrid = hybrid_path(read_record(CASES, CaseFile).cases, arms, params)
    write_recordings_jsonl(RECORDINGS, hybrid.recordings.values())
    write_path_state(RECORDINGS, hybrid.state)


if __name__ == "__main__":
    sys.exit(run_reporting(main))
