"""`params.yaml`: every stage reads its own sections through a strict model."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from stages.records.problem import InputError, Problem
from stages.storage.yaml_fault import yaml_problem
from stages.storage.yaml_file import YamlDocument, read_yaml

PARAMS_FILE = Path("params.yaml")

M = TypeVar("M", bound=BaseModel)


def read_params(model: type[M], file: Path = PARAMS_FILE) -> M:
    """Return the top-level keys that `model` names; other top-level keys belong to other stages.

    Raises:
        InputError: every key that is missing or not what the model takes.
    """
    return parse_params(model, read_yaml(file))


def parse_params(model: type[M], document: YamlDocument) -> M:
    """Return the keys that `model` names from a document that was read already.

    Raises:
        InputError: as `read_params`.
    """
    if not isinstance(document.data, dict):
        raise InputError([Problem(document.file, 1, 1, "", "the file holds no mapping", "Write `topK: 5` and so on")])
    wanted = {_name(model, field) for field in model.model_fields}
    try:
        return model.model_validate({key: value for key, value in document.data.items() if key in wanted})
    except ValidationError as error:
        raise InputError([_problem(document, fault, model) for fault in error.errors(include_url=False)]) from None


def param_problems(document: YamlDocument, faults: Iterable[tuple[str, str]], remedy: str) -> list[Problem]:
    """Return a problem for each dotted key, and what is wrong with it, at the key's place."""
    return [
        Problem(document.file, *document.place(tuple(key.split("."))), "", f"{key} {what}", remedy)
        for key, what in faults
    ]


def _name(model: type[BaseModel], field: str) -> str:
    return model.model_fields[field].alias or field


def _problem(document: YamlDocument, fault: Mapping[str, Any], model: type[BaseModel]) -> Problem:
    top = next((field for field in model.model_fields if _name(model, field) == fault["loc"][0]), None)
    taken = model.model_fields[top].description if top else None
    return yaml_problem(document, tuple(fault["loc"]), fault, taken or "See docs/parameters.md")
