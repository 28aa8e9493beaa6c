"""The HTTP adapter against a real server that misbehaves in every way it can."""

import asyncio
import gzip
import json
import socket
import ssl
import tracemalloc
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
import trustme

from stages.records.services import Limits
from stages.retrievers.http_client import HttpClient
from stages.retrievers.http_outcome import Answered, Failed, HttpRequest
from stages.retrievers.pace import Pace
from tests.loopback_retrieval import answer, chunked, raw, running, trickle

GOOD = {"items": [{"id": "订单"}]}
GBK = json.dumps(GOOD, ensure_ascii=False).encode("gbk")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
QUICK = Limits(attempts=1, connect_seconds=1.5, read_seconds=0.5, total_seconds=1.5, backoff_seconds=0.01)
PATIENT = QUICK.model_copy(update={"attempts": 3, "longest_wait_seconds": 1})


@pytest.fixture
def server():
    with running() as one:
        yield one


def ask(url, limits=QUICK, ca_file=None, **request):
    async def go():
        async with HttpClient(limits, ca_file) as client:
            return await client.ask(HttpRequest("POST", url, body={"query": "订单"}, **request))

    return asyncio.run(go())


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class TestGoodAnswers:
    @pytest.mark.parametrize(
        "behaviour",
        [
            answer(GOOD),
            answer(gzip.compress(json.dumps(GOOD).encode()), headers={"Content-Encoding": "gzip"}),
            answer(zlib.compress(json.dumps(GOOD).encode()), headers={"Content-Encoding": "deflate"}),
            answer(zlib.compress(json.dumps(GOOD).encode())[2:-4], headers={"Content-Encoding": "deflate"}),
            answer(
                gzip.compress(zlib.compress(json.dumps(GOOD).encode())), headers={"Content-Encoding": "deflate, x-gzip"}
            ),
            answer(GOOD, headers={"Content-Encoding": "utf-8"}),
            chunked(GOOD),
            answer(GOOD, headers={"Content-Type": "application/vnd.spring-boot.actuator.v3+json;charset=UTF-8"}),
            answer(
                json.dumps(GOOD, ensure_ascii=False).encode("gbk"), headers={"Content-Type": "text/json; charset=GBK"}
            ),
            answer(b"\xef\xbb\xbf" + json.dumps(GOOD).encode()),
            raw(HEAD + b"\r\n" + json.dumps(GOOD).encode(), close=True),
        ],
        ids=[
            "plain",
            "gzip",
            "deflate",
            "deflate without its head",
            "packed twice",
            "no packing",
            "chunked",
            "vendor type",
            "gbk",
            "bom",
            "until the end",
        ],
    )
    def test_every_way_to_send_json_is_understood(self, server, behaviour):
        server.routes["/"] = behaviour
        assert ask(server.url) == Answered(200, GOOD)

    def test_the_body_the_headers_and_the_query_string_arrive_as_given(self, server):
        server.routes["/"] = answer(GOOD)
        ask(f"{server.url}/?q=a+b%26c&k=5", headers={"X-Key": "k"})
        asked = server.log[0]
        assert asked.json == {"query": "订单"}
        assert asked.headers["x-key"] == "k"
        assert asked.headers["accept-encoding"] == "gzip, deflate"
        assert asked.target == "/?q=a+b%26c&k=5"

    def test_ids_keep_every_digit(self, server):
        server.routes["/"] = answer(b'{"id": 448300048035776801, "lone": "\\ud83d"}')
        assert ask(server.url).answer == {"id": 448300048035776801, "lone": "�"}

    def test_an_error_answer_keeps_its_json_and_does_without(self, server):
        server.routes["/"] = [answer({"message": "no"}, 400), answer(b"<html>", 401, {"Content-Type": "text/html"})]
        assert ask(server.url) == Answered(400, {"message": "no"})
        assert ask(server.url) == Answered(401, None)


LOGIN = b"<html><head><title>Please\n log in</title></head></html>"
BOMB = gzip.compress(b" " * 5_000_000)


class TestBadAnswers:
    @pytest.mark.parametrize(
        ("behaviour", "code", "reason", "down", "again"),
        [
            (answer(LOGIN, headers={"Content-Type": "text/html; charset=utf-8"}),
             "wrong_content_type", "the answer is text/html (Please log in), not JSON", False, False),
            (answer(GOOD, headers={"Content-Type": "application/xml"}),
             "wrong_content_type", "the answer is application/xml, not JSON", False, False),
            (answer(b""), "bad_answer", "the answer is empty", False, False),
            (answer(b'{"a": NaN}'), "bad_answer", "the answer is no JSON: NaN is no number", False, False),
            (answer(b'{"a": 1e999}'),
             "bad_answer", "the answer is no JSON: 1e999 is beyond every number", False, False),
            (answer(b"[" * 500 + b"]" * 500),
             "bad_answer", "the JSON of the answer is nested too deeply", False, False),
            (answer(b"[" * 100_000),
             "bad_answer", "the JSON of the answer is nested too deeply", False, False),
            (answer(b"not gzip", headers={"Content-Encoding": "gzip"}),
             "bad_answer", "the answer is packed in a way that cannot be unpacked", False, False),
            (answer(b" " * 2_000_000),
             "too_large", "the answer is larger than 1000000 bytes (max_bytes)", False, False),
            (answer(BOMB, headers={"Content-Encoding": "gzip"}),
             "too_large", "the answer is larger than 1000000 bytes (max_bytes)", False, False),
            (answer(b"", 302, {"Location": "http://login.test/"}),
             "redirect", "the service redirects (302) to another host, which is not followed", False, False),
            (answer(b"", 302, {"Location": "/login"}),
             "redirect", "the service redirects (302) in a way that drops the request's body", False, False),
            (answer(b"", 307, {"Location": "/"}),
             "redirect", "the service redirects more than 3 times", False, False),
            (answer(GOOD, after=1), "timeout", "nothing came for 0.5 s", True, False),
            (trickle(0.1), "timeout", "the answer was not whole after 1.5 s", True, False),
            (raw(b"", close=True),
             "connection_broken", "the connection ended before the answer was whole", True, True),
            (raw(HEAD + b"Content-Length: 100\r\n\r\n[1", close=True),
             "connection_broken", "the connection ended before the answer was whole", True, True),
            (raw(HEAD + b"Content-Length: 100\r\n\r\n[1", reset=True),
             "connection_reset", "the service reset the connection", True, True),
            (raw(b"SSH-2.0-OpenSSH\r\n", close=True),
             "connection_broken", "the connection ended before the answer was whole", True, True),
        ],
        ids=["login page", "wrong type", "empty", "nan", "infinite", "deep", "very deep", "no gzip", "huge", "bomb",
             "redirect away", "redirect to get", "redirect loop", "slow", "trickle", "closed", "truncated",
             "reset half way", "no http"],
    )  # fmt: skip
    def test_each_fault_has_its_code_and_sentence(self, server, behaviour, code, reason, down, again):
        server.routes["/"] = behaviour
        limits = QUICK.model_copy(update={"max_bytes": 1_000_000})
        assert ask(server.url, limits) == Failed(code, reason, down=down, again=again)

    @pytest.mark.parametrize("layers", [1, 2])
    def test_a_bomb_costs_no_more_memory_than_an_honest_answer(self, server, layers):
        bomb = gzip.compress(b" " * 100_000_000, compresslevel=1)
        bomb = gzip.compress(bomb) if layers > 1 else bomb
        server.routes["/"] = answer(bomb, headers={"Content-Encoding": ", ".join(["gzip"] * layers)})
        ask(server.url, QUICK.model_copy(update={"max_bytes": 1_000_000}))  # whatever is made only once
        tracemalloc.start()
        found = ask(server.url, QUICK.model_copy(update={"max_bytes": 1_000_000}))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.code == "too_large"
        assert peak < 8_000_000

    def test_an_answer_of_just_the_limit_is_taken(self, server):
        text = json.dumps(GOOD).encode()
        server.routes["/"] = answer(gzip.compress(text), headers={"Content-Encoding": "gzip"})
        assert ask(server.url, QUICK.model_copy(update={"max_bytes": len(text)})) == Answered(200, GOOD)
        assert ask(server.url, QUICK.model_copy(update={"max_bytes": len(text) - 1})).code == "too_large"

    def test_a_broken_text_is_no_json(self, server):
        server.routes["/"] = answer(b'{"items": [')
        found = ask(server.url)
        assert (found.code, found.reason.split(":")[0]) == ("bad_answer", "the answer is no JSON")

    def test_a_port_where_nothing_listens(self):
        found = ask(f"http://127.0.0.1:{free_port()}/")
        assert found == Failed("connection_refused", "nothing listens at the address", down=True, again=True)

    def test_a_host_that_has_no_address(self):
        found = ask("http://no-such-host.invalid/")
        assert (found.code, found.down) == ("unknown_host", True)

    def test_an_address_that_cannot_be_one(self):
        assert ask("http://127.0.0.1:0x/").code == "bad_request"
        assert ask("http://127.0.0.1:99999/").code == "bad_request"
        assert ask("ftp://127.0.0.1/").code == "bad_request"

    @pytest.mark.parametrize(
        ("name", "value", "words"),
        [
            ("X-Key", "hush\r\nb",
             "holds a line break; take it out of the value, or of the variable that it comes from"),
            ("X-Key", "hush密钥",
             "holds letters beyond ASCII; write them percent-encoded, or correct the variable that it comes from"),
            ("X-Key", "hush\x07",
             "holds a control character; take it out of the value, or of the variable that it comes from"),
            ("X-Key", "hush ",
             "begins or ends with a space; take it away, and look whether something is missing there"),
            ("X Key", "hush", "has a name that no header may have; write letters, digits and hyphens"),
        ],
    )  # fmt: skip
    def test_a_header_that_cannot_be_sent_is_named_and_its_value_is_not(self, server, name, value, words):
        found = ask(server.url, PATIENT, headers={"X-Good": "fine", name: value})
        reason = f"the request cannot be sent: the header {name!r} {words}"
        assert found == Failed("bad_request", reason, down=False, again=False)
        assert server.log == []

    def test_all_headers_that_cannot_be_sent_are_named_at_once(self, server):
        reason = ask(server.url, headers={"A": "a\nb", "B": "é"}).reason
        assert "the header 'A' holds a line break" in reason
        assert "the header 'B' holds letters" in reason


class TestAskingAgain:
    def test_503_then_200_gives_the_answer_and_counts_the_attempts(self, server):
        server.routes["/"] = [answer({}, 503), answer(GOOD)]
        assert ask(server.url, PATIENT) == Answered(200, GOOD, attempts=2)

    def test_a_reset_connection_is_asked_again(self, server):
        server.routes["/"] = [raw(b"", reset=True), answer(GOOD)]
        assert ask(server.url, PATIENT) == Answered(200, GOOD, attempts=2)

    def test_the_last_outcome_counts_when_nothing_helps(self, server):
        server.routes["/"] = answer({}, 503)
        assert ask(server.url, PATIENT) == Answered(503, {}, attempts=3)
        assert len(server.log) == 3

    @pytest.mark.parametrize("status", [400, 401, 404, 422])
    def test_a_refusal_is_not_asked_again(self, server, status):
        server.routes["/"] = answer({}, status)
        assert ask(server.url, PATIENT).attempts == 1

    def test_a_time_out_is_not_asked_again(self, server):
        server.routes["/"] = answer(GOOD, after=1)
        assert ask(server.url, PATIENT).attempts == 1

    def test_retry_after_is_waited_for(self, server):
        server.routes["/"] = [answer({}, 429, {"Retry-After": "1"}), answer(GOOD)]
        started = asyncio.new_event_loop()
        before = started.time()
        assert ask(server.url, PATIENT) == Answered(200, GOOD, attempts=2)
        assert started.time() - before >= 1
        started.close()

    def test_a_retry_after_beyond_patience_ends_the_attempts(self, server):
        later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
        server.routes["/"] = answer({}, 429, {"Retry-After": later})
        found = ask(server.url, PATIENT)
        assert (found.status, found.attempts) == (429, 1)
        assert 3500 < found.retry_after <= 3600

    def test_a_redirect_within_the_service_keeps_method_and_body(self, server):
        server.routes["/"] = answer(b"", 307, {"Location": "/new"})
        server.routes["/new"] = answer(GOOD)
        assert ask(server.url, headers={"Authorization": "Bearer x"}) == Answered(200, GOOD)
        assert [(one.method, one.json, one.headers["authorization"]) for one in server.log] == [
            ("POST", {"query": "订单"}, "Bearer x")
        ] * 2

    def test_credentials_do_not_follow_to_another_port(self, server):
        with running() as other:
            other.routes["/"] = answer(GOOD)
            server.routes["/"] = answer(b"", 307, {"Location": other.url})
            assert ask(server.url, headers={"Authorization": "Bearer x"}).code == "redirect"
            assert other.log == []


class TestTls:
    @pytest.fixture
    def authority(self):
        return trustme.CA()

    @pytest.fixture
    def secure(self, authority):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(context)
        with running(context) as one:
            one.routes["/"] = answer(GOOD)
            yield one

    def test_a_private_authority_is_trusted_once_it_is_named(self, secure, authority, tmp_path):
        file = tmp_path / "ca.pem"
        authority.cert_pem.write_to_path(str(file))
        assert ask(secure.url, ca_file=file) == Answered(200, GOOD)

    def test_without_it_nothing_is_sent_and_the_reason_says_why(self, secure):
        found = ask(secure.url)
        assert (found.code, found.again) == ("tls", False)
        assert found.reason.startswith(
            "the certificate is not trusted; name its authority as tls_ca_file (unable to get"
        )
        assert secure.log == []


class TestProxies:
    @pytest.fixture(autouse=True)
    def proxy(self, server, monkeypatch):
        monkeypatch.setenv("http_proxy", server.url)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        server.routes["http://rag.invalid/"] = answer(GOOD)

    @pytest.mark.parametrize(("asked_for", "hosts"), [(True, ["rag.invalid"]), (False, [])])
    def test_a_proxy_of_the_environment_is_used_only_when_asked_for(self, server, asked_for, hosts):
        async def go():
            async with HttpClient(QUICK, proxy_from_environment=asked_for) as client:
                await client.ask(HttpRequest("GET", "http://rag.invalid/"))

        asyncio.run(go())
        assert [one.headers["host"] for one in server.log] == hosts


def test_requests_are_spaced_by_the_rate(server):
    server.routes["/"] = answer(GOOD)
    limits = QUICK.model_copy(update={"per_second": 20.0, "concurrency": 8})

    async def go():
        async with HttpClient(limits) as client:
            started = asyncio.get_running_loop().time()
            await asyncio.gather(*(client.ask(HttpRequest("GET", server.url)) for _ in range(5)))
            return asyncio.get_running_loop().time() - started

    assert asyncio.run(go()) >= 0.2


def test_the_pace_learns_how_long_the_service_takes(server, monkeypatch):
    server.routes["/"] = answer(GOOD, after=0.1)
    lasted = []
    monkeypatch.setattr(Pace, "lasted", lambda _, seconds: lasted.append(seconds))
    assert isinstance(ask(server.url), Answered)
    assert len(lasted) == 1
    assert lasted[0] >= 0.1
