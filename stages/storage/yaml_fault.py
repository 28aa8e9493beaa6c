"""A complaint of pydantic's about a YAML file: at its place, with the value as it stands there."""

from collections.abc import Mapping
from typing import Any

from stages.records.problem import Problem
from stages.storage.wording import complaint
from stages.storage.yaml_file import Location, YamlDocument

# These say that nothing is there; nobody names a thing so.
NOTHING = ("", "~")


def yaml_problem(
    document: YamlDocument, location: Location, fault: Mapping[str, Any], remedy: str, case_id: str = ""
) -> Problem:
    """Return the problem; where a text was wanted and YAML read something else, the remedy is to put it in quotes.

    `location` says where it stands; the `loc` of the fault only how the field is called.
    """
    line, column = document.place(location)
    written = document.written.get(location, "")
    if fault["type"] == "string_type" and written not in NOTHING:
        remedy = f'Put it in quotes: "{written}"'
    return Problem(document.file, line, column, case_id, complaint(fault, written or None), remedy)
