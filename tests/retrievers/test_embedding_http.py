"""The OpenAI-compatible client against a real server on loopback, well-behaved and not."""

import pickle
import time

import numpy as np
import pytest

from stages.retrievers.embedding_http import HttpEmbedder
from stages.retrievers.failure import EngineFailure
from stages.retrievers.json_service import JsonService
from tests.loopback import Answer, closed_port, json_service, silent_port

KEY = "sk-loopback-7c1e"


def vector(text):
    return [float(len(text)), 1.0, float(sum(text.encode()) % 97)]


def well_behaved(body, _):
    data = [{"index": index, "embedding": vector(text)} for index, text in enumerate(body["input"])]
    return Answer({"data": data[::-1], "model": body["model"]})


def embedder(url, **options):
    service = {"timeout_s": 5.0, "retries": 2, "pause_s": 0.01}
    service |= {key: options.pop(key) for key in ("timeout_s", "retries", "api_key_env") if key in options}
    return HttpEmbedder(JsonService("embedder", f"{url}/v1/embeddings", **service), "tiny", **options)


def failure_of(answer, texts=("甲", "乙"), **options):
    with (
        json_service(answer if callable(answer) else lambda *_: answer) as service,
        pytest.raises(EngineFailure) as error,
    ):
        embedder(service.url, **options).embed(texts, "query")
    return error.value, len(service.bodies), service.url


def test_vectors_come_back_in_the_order_of_the_texts_over_several_batches():
    texts = [f"text {'x' * number}" for number in range(7)]
    with json_service(well_behaved) as service:
        vectors = embedder(service.url, batch=3).embed(texts, "passage")
    assert [len(body["input"]) for body in service.bodies] == [3, 3, 1]
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [vector(text) for text in texts]
    assert service.paths == ["/v1/embeddings"] * 3
    assert service.bodies[0] == {"model": "tiny", "input": texts[:3], "encoding_format": "float"}


def test_no_texts_ask_nothing():
    assert embedder("http://127.0.0.1:1").embed([], "query").shape == (0, 0)


def test_roles_have_their_prefix_and_where_wanted_their_input_type():
    with json_service(well_behaved) as service:
        e5 = embedder(service.url, query_prefix="query: ", passage_prefix="passage: ", input_type=True, dimensions=3)
        e5.embed(["甲"], "query")
        e5.embed(["甲"], "passage")
    assert [body["input"] for body in service.bodies] == [["query: 甲"], ["passage: 甲"]]
    assert [body["input_type"] for body in service.bodies] == ["query", "passage"]
    assert [body["dimensions"] for body in service.bodies] == [3, 3]


def test_the_key_goes_by_the_name_of_a_variable_and_appears_nowhere_else(monkeypatch):
    monkeypatch.setenv("TINY_KEY", KEY)
    with json_service(well_behaved) as service:
        plug = embedder(service.url, api_key_env="TINY_KEY")
        plug.embed(["甲"], "query")
    assert service.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(plug) + repr(plug.identity())
    assert KEY.encode() not in pickle.dumps(plug)


def test_a_server_that_echoes_the_key_does_not_bring_it_into_the_reason(monkeypatch):
    monkeypatch.setenv("TINY_KEY", KEY)
    echo = Answer({"error": {"message": f"wrong header:\nBearer {KEY}"}}, status=400)
    error, _, _ = failure_of(echo, api_key_env="TINY_KEY")
    assert error.reason.endswith("answered HTTP 400: wrong header: Bearer ***")
    assert KEY not in str(error)


@pytest.mark.parametrize(("value", "what"), [(None, "is not set"), ("", "is not set"), ("钥匙", "holds characters")])
def test_a_key_that_cannot_be_sent_is_named_by_its_variable_only(monkeypatch, value, what):
    monkeypatch.delenv("TINY_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("TINY_KEY", value)
    with pytest.raises(EngineFailure, match=f"TINY_KEY {what}") as error:
        embedder("http://127.0.0.1:1", api_key_env="TINY_KEY").embed(["甲"], "query")
    assert error.value.code == "embedder_key_missing"


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_passing_failures_are_asked_again(status):
    def answer(body, number):
        return well_behaved(body, number) if number == 2 else Answer(b"busy", status=status)

    with json_service(answer) as service:
        assert embedder(service.url).embed(["甲"], "query").tolist() == [vector("甲")]
    assert len(service.bodies) == 3


def test_a_dropped_connection_is_asked_again():
    with json_service(lambda body, n: Answer(drop=True) if n == 0 else well_behaved(body, n)) as service:
        assert embedder(service.url).embed(["甲"], "query").tolist() == [vector("甲")]


def test_a_server_may_say_how_long_to_wait():
    def answer(body, number):
        return Answer(b"", 429, {"Retry-After": "1"}) if number == 0 else well_behaved(body, number)

    started = time.monotonic()
    with json_service(answer) as service:
        embedder(service.url).embed(["甲"], "query")
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize(
    ("answer", "code", "asked", "reason"),
    [
        (
            Answer({"detail": "overloaded"}, 503),
            "embedder_http_503",
            3,
            "the embedder at {url} answered HTTP 503: overloaded",
        ),
        (Answer(b"", 429), "embedder_http_429", 3, "the embedder at {url} answered HTTP 429"),
        (
            Answer(b"no such model", 404),
            "embedder_http_404",
            1,
            "the embedder at {url} answered HTTP 404",
        ),
        (
            Answer(b"", 302, {"Location": "/"}),
            "embedder_redirect",
            1,
            "the embedder at {url}: the service redirects (302) in a way that drops the request's body",
        ),
        (Answer(b"bad key", 401), "embedder_unauthorized", 1, "the embedder at {url} refused the key (HTTP 401)"),
        (Answer(b"<html>"), "embedder_bad_answer", 1, None),
        (
            Answer(b"<html><title>Login</title>", headers={"Content-Type": "text/html"}),
            "embedder_wrong_content_type",
            1,
            "the embedder at {url}: the answer is text/html (Login), not JSON",
        ),
        (Answer([]), "embedder_bad_answer", 1, "the embedder's answer has no list `data` of objects"),
        (Answer({"data": [1, 2]}), "embedder_bad_answer", 1, "the embedder's answer has no list `data` of objects"),
        (
            Answer({"data": [{"index": 0, "embedding": [1.0]}]}),
            "embedder_wrong_count",
            1,
            "the embedder returned 1 vectors for 2 texts",
        ),
        (
            Answer({"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]}),
            "embedder_bad_answer",
            1,
            "the embedder's answer does not have each index 0..1 once",
        ),
        (
            Answer({"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}),
            "embedder_bad_answer",
            1,
            "the embedder returned vectors that are not equally long lists of numbers",
        ),
        (
            Answer({"data": [{"index": 0, "embedding": "AACAPw=="}, {"index": 1, "embedding": None}]}),
            "embedder_bad_answer",
            1,
            "the embedder returned vectors that are not equally long lists of numbers",
        ),
        (
            Answer({"data": [{"index": 0, "embedding": [0.0]}, {"index": 1, "embedding": [1.0]}]}),
            "embedder_bad_answer",
            1,
            "the embedder returned a vector that is zero or not finite",
        ),
        (Answer(drop=True), "embedder_connection_broken", 3, None),
    ],
)
def test_each_misbehaviour_has_a_code_and_a_reason(answer, code, asked, reason):
    error, count, url = failure_of(answer)
    assert (error.code, count) == (code, asked)
    if reason:
        assert error.reason == reason.format(url=f"{url}/v1/embeddings")


def test_a_server_that_ignores_the_dimensions_is_found_out():
    error, _, _ = failure_of(well_behaved, dimensions=2)
    assert (error.code, error.reason) == (
        "embedder_wrong_dimension",
        "the embedder returned vectors of 3 dimensions, not 2 dimensions",
    )


def test_batches_of_different_dimensions_are_refused():
    def growing(_, number):
        return Answer({"data": [{"index": 0, "embedding": [1.0] * (number + 1)}]})

    error, _, _ = failure_of(growing, batch=1)
    assert error.code == "embedder_bad_answer"


@pytest.mark.parametrize("slow", [Answer({}, hang_s=6), Answer({"data": [0] * 60}, trickle_s=0.1)])
def test_a_time_out_covers_the_whole_answer_and_is_not_asked_again(slow):
    started = time.monotonic()
    error, count, url = failure_of(slow, timeout_s=0.4)
    assert (error.code, count) == ("embedder_timeout", 1)
    assert error.reason.startswith(f"the embedder at {url}/v1/embeddings: ")
    assert "0.4 s" in error.reason
    assert time.monotonic() - started < 4


def test_a_port_that_accepts_and_never_answers_is_a_time_out():
    with silent_port() as port, pytest.raises(EngineFailure) as error:
        embedder(f"http://127.0.0.1:{port}", timeout_s=0.3).embed(["甲"], "query")
    assert error.value.code == "embedder_timeout"


def test_a_closed_port_is_tried_again_and_then_called_unreachable():
    port = closed_port()
    with pytest.raises(EngineFailure) as error:
        embedder(f"http://127.0.0.1:{port}").embed(["甲"], "query")
    assert error.value.code == "embedder_connection_refused"
    assert str(port) in error.value.reason


def test_an_address_that_is_no_url_is_refused():
    with pytest.raises(EngineFailure) as error:
        embedder("ftp://127.0.0.1").embed(["甲"], "query")
    assert error.value.code == "embedder_bad_request"
