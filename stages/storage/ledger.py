"""The ledger of accepted failures: a YAML file that people may edit too."""

from collections.abc import Sequence
from pathlib import Path

import yaml
from pydantic import ValidationError

from stages.records.accepted import AcceptedCase, AcceptedFile
from stages.records.problem import InputError, Problem
from stages.storage.modeline import modeline
from stages.storage.text_file import write_text
from stages.storage.yaml_fault import yaml_problem
from stages.storage.yaml_file import parse_yaml

REMEDY = "Correct it; docs/review.md shows every field"
LEDGER = Path("data/accepted.yaml")
HEAD = "# Known failures which the gate tolerates until a date; docs/review.md explains each field.\n"


def parse_ledger(text: str, file: str) -> tuple[AcceptedCase, ...]:
    """Return the entries sorted by case id; an empty file has none.

    Raises:
        InputError: no YAML, not the shape of a ledger, or a case that is accepted twice.
    """
    document = parse_yaml(text, file)
    try:
        entries = AcceptedFile.model_validate({} if document.data is None else document.data).accepted
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise InputError([yaml_problem(document, tuple(fault["loc"]), fault, REMEDY) for fault in faults]) from None
    problems: list[Problem] = []
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if entry.case in seen:
            line, column = document.place(("accepted", index))
            what = "the case is accepted twice"
            problems.append(Problem(file, line, column, entry.case, what, "Keep one of the two entries"))
        seen.add(entry.case)
    if problems:
        raise InputError(problems)
    return tuple(sorted(entries, key=lambda entry: entry.case))


def write_ledger(path: Path, entries: Sequence[AcceptedCase]) -> None:
    """Write the entries sorted by case id, atomically."""
    ordered = sorted(entries, key=lambda entry: entry.case)
    data = {"accepted": [entry.model_dump(mode="json") for entry in ordered]}
    body = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
    write_text(path, modeline(path, "accepted") + HEAD + body)
