"""What every record takes: a scalar for what it is and for nothing else."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import stages.records
from stages.records.aggregates import Aggregates
from stages.records.record import SCALARS, Record

for _module in pkgutil.walk_packages(stages.records.__path__, "stages.records."):
    importlib.import_module(_module.name)


def below(kind: type) -> Iterator[type[BaseModel]]:
    for child in kind.__subclasses__():
        yield child
        yield from below(child)


def lax(schema: Any, where: str = "") -> Iterator[str]:
    """Yield the place of each scalar in a schema of pydantic's that takes other types too."""
    if isinstance(schema, (list, tuple)):
        for part in schema:
            yield from lax(part, where)
    elif isinstance(schema, dict):
        if schema.get("type") in SCALARS and schema.get("strict") is not True:
            yield where
        for key, part in schema.items():
            yield from lax(part, f"{where}.{key}")


RECORDS = sorted(set(below(Record)), key=lambda kind: f"{kind.__module__}.{kind.__name__}")
ON_PURPOSE = {Aggregates}  # JSON writes the numbers by which its maps are keyed as texts


def test_every_model_is_a_record() -> None:
    assert len(RECORDS) > 50
    ours = {kind for kind in below(BaseModel) if kind.__module__.startswith("stages.")}
    assert not [kind for kind in ours if not issubclass(kind, Record)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda kind: kind.__name__)
def test_every_scalar_of_every_record_is_strict(record: type[Record]) -> None:
    found = list(lax(record.__pydantic_core_schema__))
    assert bool(found) == (record in ON_PURPOSE), found


class Sample(Record):
    number: float = 0.0
    count: int = 0
    flag: bool = False
    text: str = ""
    limit: int | None = None
    several: tuple[int, ...] = ()
    named: dict[str, float] | None = None


@pytest.mark.parametrize(
    "values",
    [
        {"number": "1.5"},
        {"number": True},
        {"number": float("nan")},
        {"count": "5"},
        {"count": True},
        {"count": 5.0},
        {"flag": 1},
        {"flag": "true"},
        {"flag": "yes"},
        {"text": 5},
        {"text": True},
        {"text": b"x"},
        {"limit": "5"},
        {"several": [1, "2"]},
        {"several": [True]},
        {"named": {"a": "1"}},
        {"named": {1: 1.0}},
    ],
)
def test_a_value_of_another_type_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate(values)


def test_a_whole_number_is_a_number_and_a_list_makes_a_tuple() -> None:
    found = Sample.model_validate({"number": 5, "several": [1, 2], "limit": None, "named": {"a": 1}})
    assert (repr(found.number), found.several, found.named) == ("5.0", (1, 2), {"a": 1.0})
