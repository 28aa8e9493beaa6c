"""The committed schemas: draft-07, true of every shipped file, and as strict as the models."""

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from stages.records.problem import InputError
from stages.storage.presets import read_presets
from stages.storage.services import read_services

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


@pytest.mark.parametrize("name", ["accepted", "golden", "params", "path-state", "recording", "services"])
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


def test_services_as_shipped_as_preset_and_as_documented_are_valid():
    shipped = (ROOT / "services.yaml").read_text(encoding="utf-8")
    named = shipped.split("\n", 1)[0].removeprefix("# yaml-language-server: $schema=")
    assert (ROOT / named).resolve() == SCHEMAS / "services.schema.json"
    assert not faults("services", yaml.safe_load(shipped))
    for name, preset in read_presets().items():
        assert set(preset) <= {"about", "request", "answer", "score"}
        own = {key: value for key, value in preset.items() if key != "about"}
        written_out = {**own, "request": {**own["request"], "url": "${U}/x"}}
        for service in (written_out, {"preset": name, "request": {"url": "${U}/x"}}):
            assert not faults("services", {"services": {"live": service}}), name


def test_the_examples_of_the_page_on_services_are_valid(tmp_path):
    blocks = re.findall("```yaml\n(.*?)```", (ROOT / "docs/services.md").read_text(encoding="utf-8"), re.DOTALL)
    head = "services:\n  live:\n    preset: dify\n    request: {url: http://x/}\n"
    assert len(blocks) >= 3
    for block in blocks:
        (tmp_path / "services.yaml").write_text(block if block.startswith("services:") else head + block, "utf-8")
        assert read_services(tmp_path / "services.yaml")
        assert not faults("services", yaml.safe_load((tmp_path / "services.yaml").read_text("utf-8"))), block


SERVICE = {"request": {"url": "http://x/"}, "answer": {"items": "a", "fields": {"title": "t"}}}


@pytest.mark.parametrize(
    "fault",
    [
        {"preset": "spring"},
        {"preset": None},
        {"request": {}},
        {"request": {"url": "x.test/search"}},
        {"request": {"url": "http://user:word@x/"}},
        {"request": {"url": "http://x/", "method": "get"}},
        {"request": {"url": "http://x/", "headers": {"authorization": "Bearer abc"}}},
        {"request": {"url": "http://x/", "headers": {"X": 1}}},
        {"request": {"url": "http://x/", "params": {"api_key": "abc"}}},
        {"request": {"url": "http://x/", "params": {"filter": {"a": 1}}}},
        {"request": {"url": "http://x/", "body": {"token": "abc"}}},
        {"answer": {"fields": {"title": "t"}}},
        {"answer": {"items": "a", "columns": {"x": "b"}, "fields": {"title": "t"}}},
        {"answer": {"items": "a", "fields": {"content": "t"}}},
        {"answer": {"items": "a", "fields": {"titel": "t"}}},
        {"score": {"kind": "cosine"}},
        {"limits": {"attempts": 0}},
        {"limits": {"attempts": "3"}},
        {"limits": {"patience": 3}},
        {"enabled": "yes"},
    ],
    ids=json.dumps,
)
def test_a_typical_fault_of_a_service_is_refused_as_the_loader_does(tmp_path, fault):
    for extra, good in (({}, True), (fault, False)):
        document = {"services": {"live": {**SERVICE, **extra}}}
        (tmp_path / "services.yaml").write_text(json.dumps(document), encoding="utf-8")
        assert (not faults("services", document)) == good
        with nullcontext() if good else pytest.raises(InputError):
            read_services(tmp_path / "services.yaml")


def test_a_service_of_another_name_is_refused():
    assert faults("services", {"services": {"other": SERVICE}})


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
