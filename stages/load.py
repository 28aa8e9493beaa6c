"""DVC stage `load`: golden files to cases."""

import sys
from pathlib import Path

from stages.core.case_building import build_cases
from stages.records.case import CaseFile
from stages.records.problem import InputError
from stages.rendering.terminal import run_reporting
from stages.storage.golden import read_golden
from stages.storage.json_file import write_json

GOLDEN = Path("data/golden")
CASES = Path("data/build/cases.json")


def main() -> None:
    """Read every golden file; report all problems at once, or write the cases sorted by id."""
    cases, problems = build_cases(read_golden([GOLDEN]))
    if problems:
        raise InputError(problems)
    write_json(CASES, CaseFile(cases=tuple(cases)))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
