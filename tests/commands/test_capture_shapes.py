"""Every published shape of answer, spoken by a real server and captured from the command line."""

import json
from functools import partial
from pathlib import Path

import pytest
import yaml

from tests.capture_project import PARAMS, Project
from tests.loopback_retrieval import answer, running

ROOT = Path(__file__).parents[2]
SHAPES_FILE = ROOT.parent / "shared" / "reference" / "response-shapes.json"
SHAPES = json.loads(SHAPES_FILE.read_text("utf-8")) if SHAPES_FILE.exists() else []
MAPPINGS = yaml.safe_load((ROOT / "tests/core/response_mappings.yaml").read_text("utf-8"))
QUICK = {"attempts": 1, "total_seconds": 5}


@pytest.fixture
def server():
    with running() as one:
        one.routes["/v1/embeddings"] = answer({"data": [{"embedding": [0.1, 0.2]}]})
        yield one


@pytest.fixture
def project(tmp_path, server, monkeypatch):
    monkeypatch.setenv("RAG_URL", server.url)
    one = Project(tmp_path)
    one.write_yaml("params.yaml", PARAMS | {"topK": 5})
    one.cases(1, query="订单队列积压")
    one.run = partial(one.run, monkeypatch)
    return one


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["name"])
def test_a_shape_over_http(project, server, shape):
    described = json.dumps(MAPPINGS[shape["name"]])
    for host in ("http://rag.test", "http://embed.test"):
        described = described.replace(host, "${RAG_URL}")
    service = json.loads(described) | {"limits": QUICK}
    if "{{vector}}" in described:
        service["embedding"] = {"url": "${RAG_URL}/v1/embeddings", "body": {"input": "{{query}}"}}
    project.write_yaml("services.yaml", {"services": {"sidecar": service}})
    server.routes[shape["request"]["path"]] = answer(shape["response"]["body"], shape["response"]["status"])
    assert project.run("capture", "sidecar") == 0
    asked = [one for one in server.log if one.path == shape["request"]["path"]]
    assert [one.method for one in asked] == [shape["request"]["method"]]
    check(project, shape["expect"])


def check(project, expected):
    state, recorded = project.state(), project.recorded().get("case-000")
    if "candidates" not in expected:
        assert recorded is None
        assert state["status"] == "unavailable"
        assert expected["reason_contains"] in state["reason"]
        return
    assert state["code"] == ("partial" if expected["state"] == "partial" else None)
    assert recorded["returned"] == len(recorded["candidates"]) == len(expected["candidates"])
    for candidate, fields in zip(recorded["candidates"], expected["candidates"], strict=True):
        assert {name: candidate[name] for name in fields} == fields
