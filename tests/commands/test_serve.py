"""The HTTP API, by a real client over a socket."""

import signal
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec

import pytest

from stages.__main__ import main
from tests.api_server import serving
from tests.embedding_server import embeddings
from tests.loopback import closed_port, json_service, silent_port
from tests.retriever_project import make_project, set_params

if find_spec("fastapi") is None or find_spec("uvicorn") is None:
    pytest.skip("the extra 'api' (fastapi, uvicorn) is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Milvus is recorded, and live it is refused: its address is a port on which nothing listens."""
    folder = make_project(tmp_path_factory.mktemp("served"))
    set_params(folder, milvus={"uri": f"http://127.0.0.1:{closed_port()}"})
    set_params(folder, embedder={"http": {"url": "http://127.0.0.1:9/v1/embeddings", "model": "down", "retries": 0}})
    return folder


@pytest.fixture(scope="module")
def api(project):
    with serving(project) as running:
        yield running


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command line in a folder, in this process; returns exit code, standard output and standard error."""

    def run(folder, *arguments):
        monkeypatch.chdir(folder)
        monkeypatch.setattr("sys.argv", ["retrieval-eval", *arguments])
        code = main()
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("retriever", ["bm25", "milvus", "hybrid", "all"])
@pytest.mark.parametrize("report", [False, True])
def test_the_answer_equals_the_commands_to_the_byte(api, command, project, retriever, report):
    options = ["--report"] if report else []
    _, printed, _ = command(project, "evaluate", "--retriever", retriever, "--top-k", "2", "--json", *options)
    answer = api.evaluate(retriever, topK=2, report=report)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.content.decode() == printed
    assert ("markdownReport" in answer.json()) is report


def test_topk_is_3_and_report_is_false_where_they_are_not_given(api):
    assert api.evaluate("bm25").content == api.evaluate("bm25", topK=3, report=False).content


def test_many_at_once_each_get_their_own_answer(api):
    asked = [(name, top_k) for name in ("bm25", "milvus", "hybrid", "all") for top_k in (1, 2, 3)] * 2
    alone = {one: api.evaluate(one[0], topK=one[1]).content for one in set(asked)}
    with ThreadPoolExecutor(len(asked)) as pool:
        answers = list(pool.map(lambda one: api.evaluate(one[0], topK=one[1]).content, asked))
    assert answers == [alone[one] for one in asked]


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ({"retriever": "elastic"}, 400, "retriever is 'elastic', which is none of bm25, milvus, hybrid, all"),
        ({"retriever": ""}, 400, "retriever is '', which is none of bm25, milvus, hybrid, all"),
        ({"retriever": 5}, 422, "retriever is 5, which is no text"),
        ({}, 422, "retriever is missing"),
        ({"retriever": "bm25", "topK": 0}, 422, "topK is 0, which is less than 1"),
        ({"retriever": "bm25", "topK": 101}, 422, "topK is 101, which is more than 100"),
        ({"retriever": "bm25", "topK": "3"}, 422, "topK is '3', which is no whole number"),
        ({"retriever": "bm25", "topK": True}, 422, "topK is true, which is no whole number"),
        ({"retriever": "bm25", "topK": 2.5}, 422, "topK is 2.5, which is no whole number"),
        ({"retriever": "bm25", "report": "yes"}, 422, "report is 'yes', which is neither true nor false"),
        ({"retriever": "bm25", "top_k": 3}, 422, "top_k is no known field"),
        ({"topK": -1, "k": 3}, 422, "retriever is missing; topK is -1, which is less than 1; k is no known field"),
        ([], 422, "the body is no JSON object; send one, with Content-Type: application/json"),
    ],
)
def test_what_is_asked_wrongly_is_refused_in_words(api, body, status, detail):
    answer = api.post("/ai/runbooks/evaluate", body)
    assert (answer.status_code, answer.json()) == (status, {"detail": detail})


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"[1", 422),
        (b"", 422),
        (b'{"retriever": "\\ud800"}', 400),
        (b'{"retriever": "bm25", "\\ud800": 1}', 422),
        (b"\xff\xfe", 422),
        (b"[" * 60_000, 400),
    ],
)
def test_bodies_that_are_no_json_are_refused_and_break_nothing(api, content, status):
    headers = {"content-type": "application/json"}
    answer = api.client.post("/ai/runbooks/evaluate", content=content, headers=headers)
    assert answer.status_code == status
    assert list(answer.json()) == ["detail"]


def test_a_body_beyond_the_limit_is_refused_with_and_without_its_length(api):
    big = b'{"retriever": "bm25", "x": "' + b"x" * 70_000 + b'"}'
    headers = {"content-type": "application/json"}
    pieces = (big[start : start + 8192] for start in range(0, len(big), 8192))
    for content in (big, pieces):
        answer = api.client.post("/ai/runbooks/evaluate", content=content, headers=headers)
        assert (answer.status_code, answer.json()) == (413, {"detail": "the body is larger than 65536 bytes"})
    assert api.client.get("/ai/health").status_code == 200


def test_other_addresses_and_methods_are_refused(api):
    assert api.client.get("/").json() == {"detail": "Not Found"}
    assert api.client.get("/ai/runbooks/evaluate").status_code == 405


def test_health_says_what_can_be_evaluated(api):
    assert api.client.get("/ai/health").json() == {
        "status": "ok",
        "mode": "recorded",
        "caseCount": 5,
        "chunkCount": 9,
        "retrievers": [
            {"retrieverName": "bm25", "state": "ready"},
            {"retrieverName": "milvus", "state": "ready"},
        ],
    }


def test_the_description_names_every_address_and_answer(api):
    described = api.client.get("/openapi.json").json()
    assert set(described["paths"]) == {"/ai/runbooks/evaluate", "/ai/runbooks/retrieve/debug", "/ai/health"}
    evaluate = described["paths"]["/ai/runbooks/evaluate"]["post"]
    assert set(evaluate["responses"]) == {"200", "400", "413", "422", "503"}
    assert {"retriever", "topK", "report"} == set(described["components"]["schemas"]["EvaluateRequest"]["properties"])
    assert {"retrieverName", "errorCode"} <= set(described["components"]["schemas"]["RetrieverFailure"]["properties"])


def test_a_question_is_followed_through_every_step_and_an_arm_that_is_down_is_said(api):
    answer = api.debug("redis 消费者太慢 怎么修复", topK=2).json()
    assert list(answer) == ["query", "topK", "arms", "fusion", "rerank", "final", "warnings"]
    bm25, milvus = answer["arms"]
    assert [found["chunkId"] for found in bm25["candidates"]] == ["redis#常见原因", "redis#修复建议"]
    assert (milvus["state"], milvus["candidates"]) == ("unavailable", [])
    assert milvus["errorCode"] == "embedder_connection_refused"
    assert answer["warnings"] == [f"milvus: {milvus['error']}; fused from bm25 alone"]
    assert answer["fusion"]["candidates"][0] == {
        "rank": 1,
        "chunkId": "redis#常见原因",
        "score": round(1 / 61, 6),
        "armRanks": {"bm25": 1},
    }
    assert [place["chunkId"] for place in answer["rerank"]["candidates"]] == [
        found["chunkId"] for found in answer["final"]
    ]
    assert answer["rerank"]["candidates"][0]["rules"]
    assert answer["final"][0]["content"].startswith("redis：")


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (
            b'{"query": "\\ud800"}',
            "query is '\\ud800': Input should be a valid string, unable to parse raw data as a unicode string",
        ),
        (b'{"query": ""}', "query is empty"),
        (b'{"query": null}', "query is null, which is no text"),
        (b'{"query": "x", "retriever": "bm25"}', "retriever is no known field"),
    ],
)
def test_a_question_that_is_none_is_refused(api, content, detail):
    headers = {"content-type": "application/json"}
    answer = api.client.post("/ai/runbooks/retrieve/debug", content=content, headers=headers)
    assert (answer.status_code, answer.json()) == (422, {"detail": detail})


def test_a_question_without_a_word_finds_nothing(api):
    answer = api.debug("???").json()
    assert (answer["final"], answer["arms"][0]["candidates"]) == ([], [])


def test_an_interrupt_stops_it_cleanly(project):
    with serving(project) as running:
        assert running.client.get("/ai/health").status_code == 200
        assert running.stop(signal.SIGINT) == (0, "stopped\n")


@pytest.mark.slow
def test_slow_engines_hold_up_nobody_else_so_many_may_wait_and_the_end_waits_for_none(tmp_path):
    folder = make_project(tmp_path)
    with silent_port() as silent, json_service(embeddings) as embedder:
        http = {"url": f"{embedder.url}/v1/embeddings", "model": "characters"}
        set_params(folder, embedder={"http": http}, milvus={"uri": f"http://127.0.0.1:{silent}", "timeout_s": 60})
        with serving(folder, "--concurrency", "2") as running, ThreadPoolExecutor(70) as pool:
            asked = [pool.submit(running.debug, "消费者太慢") for _ in range(70)]
            refused = next(as_completed(asked)).result()
            started = time.monotonic()
            assert running.client.get("/ai/health").status_code == 200
            assert time.monotonic() - started < 2
            wait_until(lambda: sum(one.done() for one in asked) == 4)
            assert running.stop() == (0, "stopped\n")
            assert time.monotonic() - started < 20
            answers = [one.result() for one in asked]
    assert refused.headers["retry-after"] == "1"
    assert Counter((answer.status_code, answer.json()["detail"]) for answer in answers) == {
        (503, "64 requests are waiting already"): 4,
        (503, "the server is stopping"): 66,
    }


def wait_until(true):
    for _ in range(200):
        if true():
            return
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("milvus_lite") is None, reason="the extra 'milvus' is not installed")
def test_live_milvus_lite_answers_many_at_once_as_the_command_does(command, tmp_path):
    folder = make_project(tmp_path)
    with json_service(embeddings) as embedder:
        set_params(folder, embedder={"http": {"url": f"{embedder.url}/v1/embeddings", "model": "characters"}})
        _, printed, _ = command(folder, "evaluate", "--retriever", "all", "--live", "--json")
        with serving(folder, "--live") as running:
            with ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda _: running.evaluate("all").text, range(8)))
                found = list(pool.map(lambda _: running.debug("consumer lag").content, range(8)))
            health = running.client.get("/ai/health").json()
            assert running.stop() == (0, "stopped\n")
    assert set(answers) == {printed}
    assert len(set(found)) == 1
    assert (health["mode"], health["retrievers"][1]) == ("live", {"retrieverName": "milvus", "state": "ready"})


def test_a_port_in_use_is_a_problem_and_no_traceback(command, project):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        code, out, error = command(project, "serve", "--port", port)
    why = f"serve: cannot listen on port {port} of 127.0.0.1: Address already in use. Choose another --port or --host."
    assert (code, out, error) == (2, "", f"{why}\n1 problem\n")


def test_without_the_extra_it_says_what_to_install(command, project, monkeypatch):
    monkeypatch.setattr("stages.commands.serve.find_spec", lambda _: None)
    code, _, error = command(project, "serve")
    expected = "serve: the package fastapi is not installed. Install the extra: retrieval-eval[api].\n1 problem\n"
    assert (code, error) == (2, expected)


def test_a_broken_golden_file_stops_it_before_it_listens(command, tmp_path):
    folder = make_project(tmp_path)
    (folder / "data/golden/broken.yaml").write_text("scenario: x\ncases: []\n", encoding="utf-8")
    code, _, error = command(folder, "serve", "--port", "0")
    assert code == 2
    assert error.startswith("data/golden/broken.yaml:2:1: cases has no entry")
