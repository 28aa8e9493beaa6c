"""Golden files as cases, for every verb that needs no places. No verb."""

from collections.abc import Sequence
from pathlib import Path

from stages.core.case_building import build_cases
from stages.records.case import Case
from stages.records.problem import InputError
from stages.storage.golden import located_golden


def golden_cases(paths: Sequence[Path]) -> list[Case]:
    """Return the cases of golden files, or of folders of them, sorted by id.

    Raises:
        InputError: everything that is wrong in all files.
    """
    located, problems = located_golden(paths)
    cases, faults = build_cases(located)
    if problems or faults:
        raise InputError([*problems, *faults])
    return cases
