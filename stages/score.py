"""DVC stage `score@<path>`: rankings of one path to hit levels and metrics. Called as `python -m stages.score PATH`."""

import sys
from pathlib import Path

from stages.core.path_scoring import score_path
from stages.core.path_yardstick import path_yardstick
from stages.records.case import CaseFile
from stages.records.params.score import ScoreParams
from stages.records.ranking import RankingFile
from stages.rendering.terminal import run_reporting
from stages.storage.json_file import write_json
from stages.storage.params import read_params
from stages.storage.record_file import read_record

CASES = Path("data/build/cases.json")
RANKINGS = Path("data/build/rankings")
SCORED = Path("data/build/scored")


def main() -> None:
    """Score one path with the yardstick of the parameters."""
    path = sys.argv[1]
    params = read_params(ScoreParams)
    yardstick = path_yardstick(params, path)
    cases = read_record(CASES, CaseFile).cases
    rankings = read_record(RANKINGS / f"{path}.json", RankingFile)
    write_json(SCORED / f"{path}.json", score_path(cases, rankings, yardstick))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
