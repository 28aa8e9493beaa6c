"""Every published shape of answer, and every misbehaviour, of a real server captured from the command line."""

import gzip
import json
import ssl
from functools import partial
from pathlib import Path

import pytest
import trustme
import yaml

from tests.capture_project import PARAMS, Project
from tests.loopback_retrieval import answer, chunked, raw, running, trickle

ROOT = Path(__file__).parents[2]
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


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_shape_over_http(project, server, shared, name):
    shapes = json.loads((shared / "reference/response-shapes.json").read_text("utf-8"))
    shape = next(one for one in shapes if one["name"] == name)
    described = json.dumps(MAPPINGS[name])
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


GOOD = [{"id": "c1", "text": "the answer", "metadata": {"title": "T"}, "score": 0.5}]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[{"
LIMITS = {"attempts": 2, "read_seconds": 0.5, "total_seconds": 1.5, "backoff_seconds": 0.01, "max_bytes": 100_000}


@pytest.mark.parametrize(
    ("behaviours", "code", "words"),
    [
        ([answer(GOOD, after=0.2)], None, None),
        ([chunked(GOOD)], None, None),
        ([answer(gzip.compress(json.dumps(GOOD).encode()), headers={"Content-Encoding": "gzip"})], None, None),
        ([answer({}, 429, {"Retry-After": "1"}), answer(GOOD)], None, None),
        ([answer({}, 503), answer(GOOD)], None, None),
        ([raw(HEAD, reset=True), answer(GOOD)], None, None),
        ([answer(GOOD, after=3)], "timeout", "nothing came for 0.5 s"),
        ([trickle(0.1)], "timeout", "the answer was not whole after 1.5 s"),
        ([raw(b"nonsense\r\n\r\n", close=True)], "connection_broken", "before the answer was whole; asked 2 times"),
        ([raw(HEAD, close=True)], "connection_broken", "before the answer was whole; asked 2 times"),
        ([raw(HEAD, reset=True)], "connection_reset", "the service reset the connection; asked 2 times"),
        ([answer(b" " * 200_000)], "too_large", "larger than 100000 bytes"),
        ([answer(b"<title>Log in</title>", headers={"Content-Type": "text/html"})], "wrong_content_type", "(Log in)"),
        ([answer(b"a,b", headers={"Content-Type": "text/csv"})], "wrong_content_type", "text/csv, not JSON"),
        ([answer(b"[{]")], "bad_answer", "the answer is no JSON"),
        ([answer(b"", 302, {"Location": "http://login.test/"})], "redirect", "to another host"),
        ([answer({}, 429)], "http_429", "429 Too Many Requests; asked 2 times"),
        ([answer({}, 503)], "http_503", "503 Service Unavailable; asked 2 times"),
        ([answer({"message": "who are you"}, 401)], "http_401", "the service says: who are you"),
    ],
)  # fmt: skip
def test_a_service_that_misbehaves(project, server, behaviours, code, words):
    service = {"preset": "spring-ai-documents", "request": {"url": "${RAG_URL}/search"}, "limits": LIMITS}
    project.write_yaml("services.yaml", {"services": {"sidecar": service}})
    server.routes["/search"] = behaviours
    assert project.run("capture", "sidecar") == 0
    state = project.state()
    assert (state["status"], state["code"]) == (("unavailable", code) if code else ("ready", None))
    assert words is None or words in state["reason"]
    found = [one["candidates"][0]["chunk_id"] for one in project.recorded().values()]
    assert found == ([] if code else ["c1"])


@pytest.mark.parametrize("named", [True, False])
def test_a_private_authority(project, monkeypatch, named):
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(project.root / "ca.pem"))
    service = {"preset": "spring-ai-documents", "request": {"url": "${SAFE_URL}/search"}, "limits": LIMITS}
    ca_file = {"tls_ca_file": "ca.pem"} if named else {}
    project.write_yaml("services.yaml", {"services": {"sidecar": service | ca_file}})
    with running(context) as safe:
        monkeypatch.setenv("SAFE_URL", safe.url)
        safe.routes["/search"] = answer(GOOD)
        assert project.run("capture", "sidecar") == 0
    assert project.state()["code"] == (None if named else "tls")
