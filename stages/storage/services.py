"""`services.yaml`: presets merged in, every fault at once and none of them with a secret."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stages.records.problem import InputError, Problem
from stages.records.services import ServiceFile
from stages.storage.presets import read_presets
from stages.storage.service_texts import REMEDY, holds_secret, text_problems
from stages.storage.wording import field_name
from stages.storage.yaml_fault import yaml_problem
from stages.storage.yaml_file import YamlDocument, read_yaml

SERVICES_FILE = Path("services.yaml")
HELP = "Correct it; docs/services.md describes every key"
WHOLE = {"body"}
VALUE_UNTOLD = {"missing", "extra_forbidden"}


def read_services(file: Path = SERVICES_FILE) -> ServiceFile:
    """Return the services with their presets filled in.

    Raises:
        InputError: every fault of syntax and shape, every expression that does not compile, with its place.
    """
    document = read_yaml(file)
    problems: list[Problem] = []
    data = _with_presets(document, problems)
    problems += text_problems(document, data)
    try:
        services = ServiceFile.model_validate(data)
    except ValidationError as error:
        raise InputError(problems + [_problem(document, fault) for fault in error.errors(include_url=False)]) from None
    if problems:
        raise InputError(problems)
    return services


def _with_presets(document: YamlDocument, problems: list[Problem]) -> Any:
    data = document.data
    if not isinstance(data, dict) or not isinstance(data.get("services"), dict):
        return data
    merged = {
        name: _from_preset(document, name, service, problems) if isinstance(service, dict) else service
        for name, service in data["services"].items()
    }
    return {**data, "services": merged}


def _from_preset(document: YamlDocument, name: str, service: dict[str, Any], problems: list[Problem]) -> dict[str, Any]:
    own = {key: value for key, value in service.items() if key != "preset"}
    if "preset" not in service:
        return own
    preset = read_presets().get(service["preset"]) if isinstance(service["preset"], str) else None
    if preset is None:
        line, column = document.place(("services", name, "preset"))
        what = f"services.{name}.preset is {service['preset']!r}, which is no preset"
        known = ", ".join(read_presets())
        problems.append(Problem(document.file, line, column, "", what, f"Take one of {known}, or leave it out"))
        return own
    merged: dict[str, Any] = _merged({key: value for key, value in preset.items() if key != "about"}, own)
    return merged


def _merged(base: Any, own: Any, key: str = "") -> Any:
    if not isinstance(base, dict) or not isinstance(own, dict) or key in WHOLE:
        return own
    return {
        name: _merged(base[name], own[name], name) if name in base and name in own else own.get(name, base.get(name))
        for name in [*base, *(name for name in own if name not in base)]
    }


def _problem(document: YamlDocument, fault: Mapping[str, Any]) -> Problem:
    """Say what is wrong, with the value as written only where it cannot hold a secret."""
    location = tuple(part for part in fault["loc"] if part != "[key]")
    secret = fault["type"] not in VALUE_UNTOLD and holds_secret(location, fault["input"])
    if secret or (fault["type"] == "value_error" and not isinstance(fault["input"], str)):
        message = f"{field_name(location)}: {str(fault['msg']).removeprefix('Value error, ')}"
        remedy = REMEDY if secret else HELP
        return Problem(document.file, *document.place(location), "", message, remedy)
    return yaml_problem(document, location, {**fault, "loc": location}, HELP)
