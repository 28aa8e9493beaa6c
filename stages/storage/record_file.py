"""Plain data to records, with pydantic's complaints turned into problems."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from stages.records.problem import InputError, Problem
from stages.storage.json_file import read_json
from stages.storage.wording import complaint

M = TypeVar("M", bound=BaseModel)


def read_record(path: Path, model: type[M]) -> M:
    """Read one record from a JSON file.

    Raises:
        InputError: no strict JSON, or not the shape of `model`.
    """
    return to_record(read_json(path), model, str(path))


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
