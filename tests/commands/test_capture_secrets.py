"""A secret never appears in a file or on a line, however hard the service tries to repeat it."""

import base64
import json
import re
from functools import partial
from urllib.parse import quote, quote_plus

import pytest

from stages.core.redaction import HIDDEN
from tests.capture_project import SERVICE, Project
from tests.loopback_retrieval import answer, running

TOKEN = 'tok-5/ü+"\\秘密 &='  # noqa: S105 (it is the point of these tests)
LOGIN = "someone:Hunter2-long"
USER = "internal-user"
PIN = "9182736455"
BASIC = base64.b64encode(b"user:pass-phrase").decode()
SPELLINGS = [
    *(spell(value) for value in (TOKEN, USER, BASIC) for spell in (str, quote, quote_plus, partial(quote, safe=""))),
    json.dumps(TOKEN)[1:-1],
    json.dumps(TOKEN, ensure_ascii=False)[1:-1],
    base64.b64encode(TOKEN.encode()).decode(),
    repr(TOKEN)[1:-1],
    PIN,
    json.dumps(TOKEN).replace("/", "\\/")[1:-1],
    json.dumps(json.dumps(TOKEN))[3:-3],
    quote(quote(TOKEN, safe=""), safe=""),
    *(base64.b64encode(f"{'.' * before}Bearer {TOKEN}".encode()).decode() for before in range(3)),
    base64.urlsafe_b64encode(TOKEN.encode()).decode().rstrip("="),
]

HALVES = ["tok-5", "秘密", PIN[:5], BASIC[:8]]


def echo(status=200, **more):
    """Answer with everything that was received, in every field, in several spellings."""

    async def behave(asked, writer):
        everything = f"{asked.target} {dict(asked.headers)} {asked.body.decode(errors='replace')} " + " ".join(
            SPELLINGS
        )
        item = {"doc": everything, "id": TOKEN, "title": quote(TOKEN), "text": everything, "score": 0.5}
        value = {"ok": True, "hits": [item], "message": everything, "partial": True, "index": {"version": everything}}
        value |= {TOKEN: int(PIN), "debug": [asked.headers, SPELLINGS], "session_token": "of-the-service"}
        await answer(value | more, status)(asked, writer)

    return behave


@pytest.fixture
def server():
    with running() as one:
        yield one


@pytest.fixture
def project(tmp_path, server, monkeypatch):
    for name, value in {"TOKEN": TOKEN, "RAG_USER": USER, "BASIC": BASIC, "PIN": PIN}.items():
        monkeypatch.setenv(name, f"{value}\n")
    monkeypatch.setenv("RAG_URL", server.url)
    monkeypatch.setenv("FAR_URL", "http://secret-host.internal:1")
    one = Project(tmp_path)
    one.cases(4)
    one.run = partial(one.run, monkeypatch)
    request = {
        "url": "${RAG_URL}/search?pin=${PIN}",
        "headers": {"Authorization": "Basic ${BASIC}"},
        "params": {"api_key": "${TOKEN}", "pin": "${PIN}"},
        "body": {"user": "${RAG_USER}", "token": "${TOKEN}", "q": "{{query}}", "id": "{{case_id}}"},
    }
    one.service(
        request=request,
        answer=SERVICE["answer"] | {"raw": {"all": "@"}, "index": {"version": "index.version"}},
        health={"url": "${RAG_URL}/health?key=${PIN}", "message": "message", "degraded_when": "ok"},
    )
    return one


def leaks(project, capsys):
    """Return every place where a secret can be read."""
    printed = capsys.readouterr()
    texts = {"stdout": printed.out, "stderr": printed.err}
    texts |= {str(file): file.read_text("utf-8") for file in project.root.rglob("*") if file.is_file()}
    spellings = [*SPELLINGS, *HALVES, "secret-host.internal"]
    return [(place, spelling) for place, text in texts.items() for spelling in spellings if spelling in text]


@pytest.mark.parametrize(
    ("health", "search"),
    [
        (echo(), echo()),
        (echo(503), echo()),
        (echo(), echo(400)),
        (echo(), echo(503)),
        (echo(), echo(503, message="." * 420 + PIN * 50)),
        (echo(), echo(503, message="." * 300 + f" {TOKEN}" * 50)),
        (echo(), echo(hits=None)),
        (echo(), echo(ok=False)),
        (echo(), echo(hits=[{"doc": [TOKEN]}])),
        (echo(), echo(hits=[{"doc": "d", "score": TOKEN}])),
        (echo(), echo(hits=[{TOKEN: "d"}])),
        (echo(), answer(TOKEN.encode(), headers={"Content-Type": f"text/{PIN}"})),
        (echo(), answer(f"<title>{TOKEN}</title>".encode(), headers={"Content-Type": "text/html"})),
        (echo(), answer(b"", 302, {"Location": "http://elsewhere.test/?t=" + quote(TOKEN)})),
    ],
)
@pytest.mark.parametrize("options", [[], ["--json"], ["--probe"], ["--dry-run"]])
def test_whatever_the_service_answers(project, server, capsys, health, search, options):
    server.routes |= {"/health": health, "/search": search}
    assert project.run("capture", "sidecar", *options) in ({0, 3} if options == ["--probe"] else {0})
    assert leaks(project, capsys) == []


def test_the_request_itself_did_carry_them(project, server):
    server.routes |= {"/health": echo(), "/search": echo()}
    project.run("capture", "sidecar")
    asked = next(one for one in server.log if one.path == "/search")
    assert asked.headers["authorization"] == f"Basic {BASIC}"
    assert asked.json["token"] == TOKEN
    assert quote_plus(TOKEN) in asked.target
    recording = project.recorded()["case-000"]
    assert recording["candidates"][0]["chunk_id"] == "${TOKEN}"
    assert recording["raw"]["all"]["session_token"] == HIDDEN
    assert recording["raw"]["all"]["${TOKEN}"] == "${PIN}"


def test_when_nothing_can_be_reached(project, capsys):
    project.service(request={"url": "${FAR_URL}/${TOKEN}", "headers": {"X-Key": "${TOKEN}"}})
    for options, code in (([], 0), (["--probe"], 3), (["--dry-run"], 0)):
        assert project.run("capture", "sidecar", *options) == code
        assert leaks(project, capsys) == []


def test_a_header_that_cannot_be_sent(project, monkeypatch, capsys):
    monkeypatch.setenv("TOKEN", f"{TOKEN}\nX: y")
    project.service(request={"url": "${RAG_URL}/", "headers": {"X-Key": "${TOKEN}"}})
    assert project.run("capture", "sidecar") == 0
    assert leaks(project, capsys) == []
    assert project.state()["code"] == "bad_request"


@pytest.mark.parametrize(
    "request_",
    [
        {"url": "http://user:hunter22@rag.test/"},
        {"url": "http://rag.test/", "headers": {"Authorization": "Bearer hunter22"}},
        {"url": "http://rag.test/", "headers": {"X-Api-Key": 1234567}},
        {"url": "http://rag.test/", "params": {"access_token": "hunter22"}},
        {"url": "http://rag.test/", "body": {"password": "hunter22"}},
        {"url": "http://rag.test/", "body": {"password": 1234567}},
        {"url": "http://rag.test/", "body": {"auth": {"password": "hunter22"}}},
        {"url": "http://rag.test/", "body": {"auth": [{"api_key": "hunter22"}]}},
        {"url": "http://rag.test/", "params": {"api_key": ["hunter22"]}},
        {"url": "http://rag.test/?api_key=hunter22"},
        {"url": "http://rag.test/?q=1&token=hunter22#x"},
        {"url": "http://rag.test/?api%5Fkey=hunter22"},
        {"url": "rag.test/?token=hunter22"},
        {"url": {"token": "hunter22"}},
        {"url": "http://rag.test/", "headers": {"X-Count": 5, "Authorization": "Bearer hunter22"}},
        {"url": "http://rag.test/?token=hunter22${"},
        {"url": "http://rag.test/", "headers": {"Cookie": "${hunter22-}"}},
    ],
)
def test_a_secret_in_plain_text_is_refused_without_repeating_it(project, capsys, request_):
    project.service(request=request_)
    assert project.run("capture", "sidecar") == 2
    said = capsys.readouterr().err
    assert re.match(r"services.yaml:\d+:\d+: services.sidecar.request", said)
    assert "hunter22" not in said
    assert "1234567" not in said


def test_the_login_of_an_address_is_hidden_as_basic_authentication_repeats_it(project, server, monkeypatch, capsys):
    monkeypatch.setenv("BASE", server.url.replace("://", f"://{LOGIN}@"))
    project.service(request={"url": "${BASE}/search", "body": {"q": "{{query}}"}})
    server.routes |= {"/search": echo(503)}
    project.run("capture", "sidecar")
    assert base64.b64encode(LOGIN.encode()).decode() in server.log[-1].headers["authorization"]
    printed = capsys.readouterr()
    texts = [printed.out, printed.err, *(file.read_text("utf-8") for file in project.root.rglob("*.json"))]
    assert not [text for text in texts if base64.b64encode(LOGIN.encode()).decode()[:12] in text]
