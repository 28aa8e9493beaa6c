"""DVC stage `retrieve@<path>`: recordings of one path to rankings. Called as `python -m stages.retrieve PATH DIR`."""

import sys
from pathlib import Path

from stages.core.replay import replay_path
from stages.records.case import CaseFile
from stages.records.params.retrieve import RetrieveParams
from stages.rendering.terminal import run_reporting
from stages.storage.json_file import write_json
from stages.storage.params import read_params
from stages.storage.reading import Reading
from stages.storage.record_file import read_record
from stages.storage.recordings import read_path_state, read_recordings

CASES = Path("data/build/cases.json")
RANKINGS = Path("data/build/rankings")


def main() -> None:
    """Replay the recordings of one path at topK."""
    path, folder = sys.argv[1], Path(sys.argv[2])
    with Reading() as reading:
        params = reading.of(read_params, RetrieveParams)
        state = reading.of(read_path_state, folder, path)
        recordings = reading.of(read_recordings, folder)
    cases = read_record(CASES, CaseFile).cases
    rankings = replay_path(cases, recordings, state, params.top_k, params.cutoffs)
    write_json(RANKINGS / f"{path}.json", rankings)


if __name__ == "__main__":
    sys.exit(run_reporting(main))
