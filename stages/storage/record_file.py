"""Plain data to records, with pydantic's complaints turned into problems."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from stages.records.problem import InputError, Problem
from stages.storage.json_file import parse_json
from stages.storage.json_place import Location, json_place
from stages.storage.text_file import read_text
from stages.storage.wording import complaint

M = TypeVar("M", bound=BaseModel)


def read_record(path: Path, model: type[M]) -> M:
    """Read one record from a JSON file.

    Raises:
        InputError: no strict JSON, or not the shape of `model`.
    """
    return parse_record(read_text(path), model, str(path))


def parse_record(text: str, model: type[M], file: str, remedy: str = "Write the file anew", first_line: int = 1) -> M:
    """Parse one record; `file` and `first_line` only say where the text stands.

    Raises:
        InputError: as `read_record`, with the place of every complaint.
    """
    value = parse_json(text, file, first_line)
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = [(fault["loc"], complaint(fault)) for fault in error.errors(include_url=False)]
        raise InputError(
            [Problem(file, *place_in(text, where, first_line), "", what, remedy) for where, what in faults]
        ) from None


def place_in(text: str, location: Location, first_line: int = 1) -> tuple[int, int]:
    """Return line and column of a location in a JSON text that begins on a line of its file."""
    line, column = json_place(text, location)
    return first_line + line - 1, column


def to_record(value: Any, model: type[M], file: str, line: int = 0, remedy: str = "Write the file anew") -> M:
    """Validate `value`; every complaint names the field by its path.

    Raises:
        InputError: one problem a complaint.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise InputError([Problem(file, line, 0, "", complaint(fault), remedy) for fault in faults]) from None
