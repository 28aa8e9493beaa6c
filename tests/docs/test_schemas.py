"""The committed schemas: draft-07, true of every shipped file, and as strict as the models."""

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs/retrieval-eval/schema"
CASE = {"id": "a", "query": "q", "expected": {"documents": [{"doc_id": "d"}], "evidence": {"keywords": ["k"]}}}


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    return Draft7Validator(schema)


def faults(name, value):
    return [error.message for error in validator(name).iter_errors(value)]


@pytest.mark.parametrize("name", ["accepted", "golden", "params", "path-state", "recording"])
def test_a_schema_speaks_draft_07_only(name):
    assert validator(name)
    text = (SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")
    assert not {word for word in ("$defs", "prefixItems", "unevaluated", "dependentRequired") if word in text}


@pytest.mark.parametrize("path", sorted((ROOT / "data/golden").glob("*.yaml")), ids=lambda path: path.name)
def test_every_golden_file_is_valid_and_names_its_schema(path):
    text = path.read_text(encoding="utf-8")
    assert not faults("golden", yaml.safe_load(text))
    named = text.split("\n", 1)[0].removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / named).resolve() == SCHEMAS / "golden.schema.json"


def test_a_ledger_is_valid_as_it_is_written_and_not_with_a_level_of_its_own():
    entry = {"case": "a", "level": "miss", "reason": "r", "until": "2026-01-31"}
    assert not faults("accepted", {"accepted": [entry]})
    assert faults("accepted", {"accepted": [entry | {"level": "strong"}]})


def test_the_shipped_parameters_and_recordings_are_valid():
    assert not faults("params", yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8")))
    recordings = [path for path in (ROOT / "data/fixtures").glob("*/*.json") if path.name != "recording.json"]
    assert recordings
    check = validator("recording")
    assert not [path.name for path in recordings if not check.is_valid(json.loads(path.read_text(encoding="utf-8")))]
    for path in (ROOT / "data/fixtures").glob("*/recording.json"):
        assert not faults("path-state", json.loads(path.read_text(encoding="utf-8")))


WRONG = [
    {"scenario": "s", "cases": []},
    {"scenario": "s", "cases": [{**CASE, "id": "../a"}]},
    {"scenario": "s", "cases": [{**CASE, "expected": "nothing"}]},
    {"scenario": "s", "cases": [{**CASE, "expect": "none"}]},
    {"scenario": "s", "cases": [{**CASE, "query": {"rule": "x"}}]},
    {"scenario": "s", "cases": [{**CASE, "fault_type": "mq"}]},
    {
        "scenario": "s",
        "cases": [{**CASE, "expected": {"documents": [{"doc_id": "d", "relevance": 4}], "evidence": {}}}],
    },
    {"scenario": "s", "cases": [{**CASE, "expected": {"documents": [{"doc_id": "d"}]}}]},
]


@pytest.mark.parametrize("value", WRONG)
def test_what_the_model_refuses_the_schema_refuses(value):
    assert not faults("golden", {"scenario": "s", "cases": [CASE, {**CASE, "expected": "none"}]})
    assert faults("golden", value)


def test_a_misspelt_parameter_is_refused():
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    assert faults("params", {**params, "top_k": 5})
    assert faults("params", {**params, "topK": 0})


def test_the_editor_is_told_of_every_schema():
    settings = json.loads((ROOT / ".vscode/settings.json").read_text(encoding="utf-8"))
    named = [*settings["yaml.schemas"], *(entry["url"] for entry in settings["json.schemas"])]
    assert sorted(name.rpartition("/")[2] for name in named) == sorted(path.name for path in SCHEMAS.iterdir())
