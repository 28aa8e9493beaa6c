"""A case from plain data, with pydantic's complaints turned into the row's problems."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from stages.records.golden import GoldenCase, ScenarioName
from stages.records.located_case import Location
from stages.records.problem import InputError, Problem
from stages.storage.formats.labels import is_relevant
from stages.storage.formats.rows import Row
from stages.storage.golden import real_faults, written_location
from stages.storage.wording import complaint

Where = Callable[[Location], tuple[Row, Location]]
NO_EVIDENCE = "nothing is known that could be seen in what is found; document ids stand in, so it is medium at best"


def build_case(row: Row, case_id: str, fields: dict[str, Any], cell: Where | None = None) -> GoldenCase:
    """Return the case; None and empty values count as not given.

    `cell` says where a field stands, and what it is called there, in a format that spreads a case over several rows.

    Raises:
        InputError: every field which is not what a golden case takes.
    """
    given = {"id": case_id, **{key: value for key, value in fields.items() if value not in (None, "", [], ())}}
    try:
        return GoldenCase.model_validate(given)
    except ValidationError as error:
        raise InputError(
            [
                _problem(cell or (lambda location: (row, location)), case_id, given, fault)
                for fault in real_faults(error)
            ]
        ) from None


def _problem(cell: Where, case_id: str, given: dict[str, Any], fault: Mapping[str, Any]) -> Problem:
    row, location = cell(written_location(given, tuple(fault["loc"])))
    return row.problem(case_id, complaint({**fault, "loc": location}), "Correct the row")


def require_scenario(row: Row, case_id: str, scenario: str) -> str:
    """Return the scenario, which becomes a file's name.

    Raises:
        InputError: it is no name of that kind.
    """
    try:
        return TypeAdapter(ScenarioName).validate_python(scenario)
    except ValidationError:
        what = f"the scenario {scenario!r} is no name of small letters, digits and underscores"
        raise row.fail(case_id, what, "Write chat_lookup, aiops_alert, or a name of your own") from None


def or_stand_in(
    row: Row, case_id: str, evidence: dict[str, Any] | None, labels: Sequence[dict[str, Any]], remarks: list[Problem]
) -> dict[str, Any]:
    """Return the evidence; where there is none, the ids of the relevant documents stand in, with a remark."""
    if evidence is not None:
        return evidence
    remarks.append(row.problem(case_id, NO_EVIDENCE, "Give --corpus, or write keywords"))
    named = [str(label.get("doc_id", label.get("label"))) for label in labels if is_relevant(label)]
    return {"keywords": list(dict.fromkeys(named))}


def texts_of(row: Row, case_id: str, value: Any, name: str) -> list[str]:
    """Return a field that is a text, a number or a list of these as texts; missing or null is none.

    Raises:
        InputError: it is something else.
    """
    items = [] if value is None else value if isinstance(value, list) else [value]
    if any(isinstance(item, bool) or not isinstance(item, (str, int)) or item == "" for item in items):
        raise row.fail(case_id, f"{name} is {value!r}, which is no list of texts", "Write a list of texts")
    return [str(item) for item in items]
