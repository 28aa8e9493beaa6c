"""Golden files: YAML to located cases, all faults at once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from stages.records.golden import GoldenFile
from stages.records.located_case import LocatedCase, Location
from stages.records.problem import InputError, Problem
from stages.storage.yaml_fault import yaml_problem
from stages.storage.yaml_file import YamlDocument, read_yaml

# Fields that may be left out. A program writes `null` for that; who writes `NULL` means the word.
TEXTS = ("doc_id", "fault_type", "label", "lang", "notes", "rule_result", "section")
WORDS = ("NULL", "Null")
REMEDIES = {
    "missing": "Add it; docs/authoring.md shows every field",
    "extra_forbidden": "Remove it or correct its name; docs/authoring.md lists the fields",
}


def read_golden(paths: Sequence[Path]) -> list[LocatedCase]:
    """Return the cases of golden files, or of all `*.yaml` in folders, in order of file name and place.

    Raises:
        InputError: every fault of syntax and shape in every file; no file at all; an id used twice.
    """
    cases, problems = located_golden(paths)
    if problems:
        raise InputError(problems)
    return cases


def located_golden(paths: Sequence[Path]) -> tuple[list[LocatedCase], list[Problem]]:
    """Return the cases of the sound files, and what is wrong in the others; as `read_golden`.

    Raises:
        InputError: no file at all.
    """
    cases: list[LocatedCase] = []
    problems: list[Problem] = []
    for file in golden_files(paths):
        try:
            cases.extend(parse_golden(read_yaml(file)))
        except InputError as error:
            problems.extend(error.problems)
    problems.extend(ids_used_twice(cases))
    return cases, problems


def golden_files(paths: Sequence[Path]) -> list[Path]:
    """Return the golden files that `paths` name, folders expanded, sorted.

    Raises:
        InputError: a path does not exist, or a folder holds no golden file.
    """
    found: set[Path] = set()
    problems: list[Problem] = []
    for path in paths:
        files = [path] if path.is_file() else sorted(path.glob("*.yaml")) + sorted(path.glob("*.yml"))
        if not files:
            what = "the folder holds no golden file" if path.is_dir() else "there is no such file or folder"
            problems.append(Problem(str(path), 0, 0, "", what, "Name a golden file (*.yaml) or a folder of them"))
        found.update(files)
    if problems:
        raise InputError(problems)
    return sorted(found)


def parse_golden(document: YamlDocument) -> list[LocatedCase]:
    """Return the cases of one golden file that was read already.

    Raises:
        InputError: every fault of shape.
    """
    problems = [_problem(document, fault) for fault in _words_read_as_nothing(document)]
    try:
        golden = GoldenFile.model_validate(document.data)
    except ValidationError as error:
        raise InputError(problems + [_problem(document, fault) for fault in real_faults(error)]) from None
    if problems:
        raise InputError(problems)
    inner = _places_by_case(document)
    return [
        LocatedCase(case, golden.scenario, document.file, inner.get(index, {}))
        for index, case in enumerate(golden.cases)
    ]


def _words_read_as_nothing(document: YamlDocument) -> list[Mapping[str, Any]]:
    return [
        {"type": "string_type", "loc": location, "input": None}
        for location, written in document.written.items()
        if written in WORDS and location and location[-1] in TEXTS
    ]


def _places_by_case(document: YamlDocument) -> dict[int, dict[Location, tuple[int, int]]]:
    found: dict[int, dict[Location, tuple[int, int]]] = {}
    for location, place in document.places.items():
        if len(location) > 1 and location[0] == "cases" and isinstance(location[1], int):
            found.setdefault(location[1], {})[location[2:]] = place
    return found


def real_faults(error: ValidationError) -> list[Mapping[str, Any]]:
    """Return the faults without the lists that are called empty only because all their items are faulty."""
    faults: list[Mapping[str, Any]] = list(error.errors(include_url=False))
    locations = [fault["loc"] for fault in faults]
    return [
        fault
        for fault in faults
        if fault["type"] != "too_short" or not any(_below(other, fault["loc"]) for other in locations)
    ]


def _below(location: Location, ancestor: Location) -> bool:
    return len(location) > len(ancestor) and location[: len(ancestor)] == ancestor


def _problem(document: YamlDocument, fault: Mapping[str, Any]) -> Problem:
    location = written_location(document.data, tuple(fault["loc"]))
    inner = location[2:] if location[:1] == ("cases",) and len(location) > 2 else location  # noqa: PLR2004
    remedy = REMEDIES.get(fault["type"], "Correct it; docs/authoring.md shows every field")
    return yaml_problem(document, location, {**fault, "loc": inner}, remedy, _case_id(document.data, location))


def written_location(data: Any, location: Location) -> Location:
    """Return the location without the names of union members that pydantic puts in between."""
    kept: list[str | int] = []
    for index, part in enumerate(location):
        known = (isinstance(data, dict) and part in data) or (isinstance(data, list) and isinstance(part, int))
        if known:
            data = data[part]
        if known or (index == len(location) - 1 and isinstance(data, dict)):
            kept.append(part)
    return tuple(kept)


def _case_id(data: Any, location: Location) -> str:
    if location[:1] != ("cases",) or len(location) < 2:  # noqa: PLR2004
        return ""
    case = data["cases"][location[1]]
    case_id = case.get("id") if isinstance(case, dict) else None
    return case_id if isinstance(case_id, str) else ""


def ids_used_twice(cases: Sequence[LocatedCase]) -> list[Problem]:
    """Return a problem for each case whose id an earlier case has."""
    first: dict[str, LocatedCase] = {}
    problems: list[Problem] = []
    for located in cases:
        earlier = first.setdefault(located.case.id, located)
        if earlier is not located:
            line = earlier.places.get(("id",), (0, 0))[0]
            what = f"the id {located.case.id!r} is used twice, first in {earlier.file}:{line}"
            problems.append(located.problem(("id",), what, "Give one of the two cases another id"))
    return problems
