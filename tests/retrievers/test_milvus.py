"""Milvus for real: embedded and as a server, compared with exact search; every failure with a real cause."""

import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from stages.retrievers import milvus_embedded
from stages.retrievers.failure import EngineFailure
from stages.retrievers.milvus import search_dense, search_sparse
from stages.retrievers.milvus_collection import CollectionPlan, IndexRows, ensure_collection
from stages.retrievers.milvus_session import open_milvus
from stages.retrievers.milvus_target import MilvusTarget
from tests.loopback import closed_port, silent_port

if find_spec("pymilvus") is None or find_spec("milvus_lite") is None:
    pytest.skip("the extra 'milvus' (pymilvus, milvus-lite) is not installed", allow_module_level=True)

grpc = pytest.importorskip("grpc")
MilvusClient = pytest.importorskip("pymilvus").MilvusClient
DIGEST = "0123456789abcdef"


def plan(digest=DIGEST, **options):
    return CollectionPlan("cases", digest, **options)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory, rows):
    with open_milvus(MilvusTarget(str(tmp_path_factory.mktemp("lite") / "milvus.db"), timeout_s=20)) as session:
        yield ensure_collection(session, plan(), rows)


@pytest.fixture(scope="module")
def served(milvus_server, rows):
    with open_milvus(MilvusTarget(milvus_server, timeout_s=20)) as session:
        yield ensure_collection(session, plan(), rows)


@pytest.fixture(scope="module")
def queries():
    return np.random.default_rng(7).normal(size=(12, 16)).astype(np.float32)


def in_order(rows, scores, depth, keep=lambda _: True):
    found = [
        (text["chunk_id"], round(float(score), 6))
        for text, score in zip(rows.texts, scores, strict=True)
        if keep(text) and score is not None
    ]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:depth]


def cosines(rows, query):
    dense = rows.dense.astype(np.float64)
    return dense @ query / np.linalg.norm(dense, axis=1) / np.linalg.norm(query)


def inner_products(rows, query):
    scores = [sum(weight * row.get(term, 0.0) for term, weight in query.items()) for row in rows.sparse]
    return [score or None for score in scores]


def names(hits):
    return [hit.chunk_id for hit in hits]


@pytest.mark.parametrize("depth", [1, 5, 11, 30, 80, 500])
def test_embedded_server_and_exact_search_give_the_same_dense_ranking(embedded, served, rows, queries, depth):
    """The first ten chunks have an exact copy each, so that a cut in a tie shows."""
    for query in [*queries, *rows.dense[:5]]:
        exact = in_order(rows, cosines(rows, query), depth)
        lite = search_dense(embedded, query, depth)
        assert names(lite) == [chunk_id for chunk_id, _ in exact]
        assert search_dense(served, query, depth) == lite
        assert [hit.score for hit in lite] == pytest.approx([score for _, score in exact], abs=1.5e-6)


@pytest.mark.parametrize("depth", [1, 5, 80, 500])
def test_embedded_server_and_exact_search_give_the_same_sparse_ranking(embedded, served, rows, depth):
    for query in [*rows.sparse[:8], {3: 1.0}, {1: 0.5, 2: 2.0}]:
        exact = in_order(rows, inner_products(rows, query), depth)
        lite = search_sparse(embedded, query, depth)
        assert [(hit.chunk_id, hit.score) for hit in lite] == exact
        assert search_sparse(served, query, depth) == lite


def test_a_query_without_a_known_term_finds_nothing(embedded, served, rows):
    nowhere = {4_000_000: 1.0}
    assert search_sparse(embedded, {}, 5) == search_sparse(served, {}, 5) == []
    assert search_sparse(embedded, nowhere, 5) == search_sparse(served, nowhere, 5) == []
    assert rows.sparse[40] == {}


def test_a_filter_is_applied_before_the_cut(embedded, served, rows, queries):
    for query in queries:
        korean = in_order(rows, cosines(rows, query), 7, lambda text: text["lang"] == "ko")
        hits = search_dense(embedded, query, 7, 'lang == "ko"')
        assert names(hits) == [chunk_id for chunk_id, _ in korean]
        assert search_dense(served, query, 7, 'lang == "ko"') == hits
    assert search_sparse(embedded, rows.sparse[0], 80, 'category == "faq"') == []


def test_a_collection_is_built_once_and_rebuilt_when_its_content_changed(tmp_path, rows):
    target = MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)
    with open_milvus(target) as session:
        assert ensure_collection(session, plan(), rows).built
    with open_milvus(target) as session:
        again = ensure_collection(session, plan(), rows)
        assert not again.built
        assert len(search_dense(again, rows.dense[0], 5)) == 5
        with pytest.raises(EngineFailure) as error:
            ensure_collection(session, plan("f" * 64, when_stale="refuse"), rows)
        assert (error.value.code, error.value.reason) == (
            "stale_collection",
            "Milvus holds cases_0123456789ab, but this corpus and embedder need a whole cases_ffffffffffff",
        )
        changed = ensure_collection(session, plan("f" * 64), rows)
        assert changed.built
        assert session.ask("list_collections") == ["cases_ffffffffffff"]


def test_other_collections_of_the_engine_are_left_alone(tmp_path, rows):
    with open_milvus(MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)) as session:
        for foreign in ("cases_0123456789abc", "cases_production"):
            session.ask("create_collection", foreign, dimension=4)
        ensure_collection(session, plan(), rows)
        ensure_collection(session, plan("f" * 64), rows)
        assert sorted(session.ask("list_collections")) == [
            "cases_0123456789abc",
            "cases_ffffffffffff",
            "cases_production",
        ]


def test_a_build_that_was_cut_off_is_noticed_and_done_again(tmp_path, rows):
    with open_milvus(MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)) as session:
        ensure_collection(session, plan(), rows)
        session.ask("delete", "cases_0123456789ab", filter='lang == "ko"')
        with pytest.raises(EngineFailure, match="need a whole cases_0123456789ab"):
            ensure_collection(session, plan(when_stale="refuse"), rows)
        assert ensure_collection(session, plan(), rows).built
        double = IndexRows([*rows.texts[:8], rows.texts[0]], rows.dense[:9], rows.sparse[:9])
        with pytest.raises(EngineFailure) as error:
            ensure_collection(session, plan("f" * 64), double)
        assert error.value.code == "incomplete_build"
        assert "cases_0123456789ab" in session.ask("list_collections")


def test_a_build_that_was_cut_off_before_its_indexes_is_done_again(tmp_path, rows):
    with open_milvus(MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)) as session:
        ensure_collection(session, plan(), rows)
        session.ask("release_collection", "cases_0123456789ab")
        session.ask("drop_index", "cases_0123456789ab", "dense")
        assert ensure_collection(session, plan(), rows).built


def test_an_approximate_index_under_our_name_is_refused(tmp_path, rows):
    with open_milvus(MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)) as session:
        ensure_collection(session, plan(), rows)
        session.ask("release_collection", "cases_0123456789ab")
        session.ask("drop_index", "cases_0123456789ab", "dense")
        indexes = MilvusClient.prepare_index_params()
        indexes.add_index("dense", index_name="dense", index_type="HNSW", metric_type="COSINE", M=8, efConstruction=64)
        session.ask("create_index", "cases_0123456789ab", indexes, sync=False)
        with pytest.raises(EngineFailure) as error:
            ensure_collection(session, plan(), rows)
    assert (error.value.code, error.value.reason) == (
        "wrong_schema",
        "the field dense of cases_0123456789ab has the index HNSW/COSINE, not FLAT/COSINE",
    )


def test_a_foreign_collection_under_our_name_is_refused_and_not_dropped(tmp_path, rows):
    with open_milvus(MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)) as session:
        session.ask("create_collection", "cases_0123456789ab", dimension=4)
        with pytest.raises(EngineFailure) as error:
            ensure_collection(session, plan(), rows)
        assert error.value.code == "wrong_schema"
        assert error.value.reason == (
            "the collection cases_0123456789ab was not made by this program: "
            "it differs in category, chunk_id, dense, doc_id, id, lang, section, sparse, vector"
        )
        assert session.ask("list_collections") == ["cases_0123456789ab"]


def test_a_query_of_another_dimension_is_refused(embedded, rows):
    with pytest.raises(EngineFailure) as error:
        search_dense(embedded, rows.dense[0][:5], 3)
    assert (error.value.code, error.value.reason) == (
        "wrong_dimension",
        "the query has 5 dimensions, the collection cases_0123456789ab 16",
    )


def test_a_filter_that_the_engine_does_not_take_is_a_state_with_its_words(embedded, rows):
    with pytest.raises(EngineFailure, match="Milvus refused: unknown field 'language'") as error:
        search_dense(embedded, rows.dense[0], 3, 'language == "ko"')
    assert error.value.code == "engine_error"


def test_a_collection_that_vanished_is_a_state(tmp_path, rows):
    with open_milvus(MilvusTarget(str(tmp_path / "milvus.db"), timeout_s=20)) as session:
        collection = ensure_collection(session, plan(), rows)
        session.ask("drop_collection", collection.name)
        with pytest.raises(EngineFailure) as error:
            search_dense(collection, rows.dense[0], 3)
    assert error.value.code == "collection_missing"


def failure_of(uri, timeout_s=10.0, **options):
    started = time.monotonic()
    with pytest.raises(EngineFailure) as error, open_milvus(MilvusTarget(uri, timeout_s=timeout_s, **options)):
        pytest.fail("it opened")
    assert time.monotonic() - started < timeout_s + 10
    return error.value


def test_a_port_on_which_nothing_listens():
    port = closed_port()
    error = failure_of(f"http://127.0.0.1:{port}")
    assert (error.code, error.reason) == (
        "connection_refused",
        f"no Milvus at 127.0.0.1:{port}: Connection refused",
    )


def test_a_port_that_accepts_and_never_answers():
    with silent_port() as port:
        error = failure_of(f"http://127.0.0.1:{port}", timeout_s=1.0)
    assert (error.code, error.reason) == (
        "timeout",
        f"127.0.0.1:{port} accepts connections but did not answer within 1 s",
    )


@contextmanager
def web_server(port=0):
    """A server which knows nothing but HTTP, and no page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_port_on_which_something_else_answers():
    with web_server() as port:
        error = failure_of(f"http://127.0.0.1:{port}")
    assert error.code == "not_milvus"


def test_what_stands_at_the_address_of_a_former_milvus_is_asked_anew(milvus_server):
    """The client keeps connections by address, and would take the old one for whatever answers there now."""
    with relayed(milvus_server) as (_, port), open_milvus(MilvusTarget(f"http://127.0.0.1:{port}", timeout_s=20)):
        pass
    with web_server(port):
        error = failure_of(f"http://127.0.0.1:{port}")
    assert error.code == "not_milvus"


@contextmanager
def aborting_server(status, detail):
    """A real gRPC server which refuses every call."""

    class Handler(grpc.GenericRpcHandler):
        def service(self, _):
            return grpc.unary_unary_rpc_method_handler(lambda _, context: context.abort(status, detail))

    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((Handler(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(0).wait()


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        ("UNAUTHENTICATED", "unauthorized", "Milvus at 127.0.0.1:{port} refused the token"),
        ("PERMISSION_DENIED", "unauthorized", "Milvus at 127.0.0.1:{port} refused the token"),
        (
            "UNIMPLEMENTED",
            "not_milvus",
            "127.0.0.1:{port} accepts connections but does not answer as Milvus (unimplemented)",
        ),
    ],
)
def test_a_server_that_refuses_every_call(monkeypatch, status, code, reason):
    variable = "OUR_MILVUS"
    monkeypatch.setenv(variable, "root:loopback-77f")
    with aborting_server(grpc.StatusCode[status], "because of root:loopback-77f") as port:
        error = failure_of(f"http://127.0.0.1:{port}", token_env=variable)
    assert (error.code, error.reason) == (code, reason.format(port=port))


def test_a_server_that_stops_answering_in_the_middle(milvus_server, rows):
    """A frozen process keeps its port open; the time limit of each question ends the wait."""
    with (
        relayed(milvus_server) as (relay, port),
        open_milvus(MilvusTarget(f"http://127.0.0.1:{port}", timeout_s=20)) as session,
    ):
        collection = ensure_collection(session, plan(), rows)
        hasty = replace(collection, session=replace(session, target=replace(session.target, timeout_s=0.5)))
        relay.send_signal(signal.SIGSTOP)
        os.waitpid(relay.pid, os.WUNTRACED)
        started = time.monotonic()
        with pytest.raises(EngineFailure) as error:
            search_dense(hasty, rows.dense[0], 3)
        assert (error.value.code, error.value.reason) == ("timeout", "Milvus did not answer within 0.5 s")
        assert time.monotonic() - started < 10


@contextmanager
def relayed(milvus_server):
    """A process which hands on what comes, and the port it listens on."""
    port = closed_port()
    relay = subprocess.Popen(
        [sys.executable, "-c", RELAY, str(port), milvus_server.rpartition(":")[2]], stdout=subprocess.PIPE
    )
    try:
        relay.stdout.readline()
        yield relay, port
    finally:
        relay.kill()
        relay.wait()
        relay.stdout.close()


RELAY = """
import socket, sys, threading
def pump(a, b):
    while data := a.recv(65536):
        b.sendall(data)
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
    print("up", flush=True)
    while True:
        near, _ = listener.accept()
        far = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
        for pair in ((near, far), (far, near)):
            threading.Thread(target=pump, args=pair, daemon=True).start()
"""


def test_a_directory_that_another_process_has_open(tmp_path):
    code = (
        "import sys; from pymilvus import MilvusClient; "
        "c = MilvusClient(sys.argv[1]); print('up', flush=True); sys.stdin.read()"
    )
    uri = str(tmp_path / "milvus.db")
    command = [sys.executable, "-c", code, uri]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        error = failure_of(uri)
        other.stdin.close()
    assert (error.code, error.reason) == (
        "locked",
        f"another process has {uri} open; Milvus Lite takes one at a time",
    )
    with open_milvus(MilvusTarget(uri, timeout_s=20)) as session:
        assert session.ask("list_collections") == []


def test_a_closed_session_gives_the_directory_free(tmp_path):
    uri = str(tmp_path / "milvus.db")
    with open_milvus(MilvusTarget(uri, timeout_s=20)) as session:
        assert session.version.startswith("milvus_lite-")
    code = "import sys; from pymilvus import MilvusClient; print(MilvusClient(sys.argv[1]).list_collections())"
    done = subprocess.run([sys.executable, "-c", code, uri], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_file_where_the_directory_should_be(tmp_path, capfd):
    file = tmp_path / "milvus.db"
    file.write_text("no directory")
    error = failure_of(str(file))
    assert (error.code, error.reason) == (
        "cannot_open",
        f"{file} cannot be opened as a Milvus Lite directory (FileExistsError)",
    )
    assert capfd.readouterr().err == "", "the engine's own traceback is not shown"


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("data/milvus", "bad_uri"),
        ("ftp://127.0.0.1", "bad_uri"),
        ("http://", "bad_uri"),
        ("http://127.0.0.1:port", "bad_uri"),
        ("http://user:word@127.0.0.1:1", "bad_uri"),
        ("http://no-such-host.invalid:19530", "host_unknown"),
    ],
)
def test_an_address_that_leads_nowhere(uri, code):
    error = failure_of(uri)
    assert error.code == code
    assert "word" not in str(error)


def test_the_token_goes_by_the_name_of_a_variable(monkeypatch, milvus_server):
    variable = "OUR_MILVUS"
    monkeypatch.delenv(variable, raising=False)
    error = failure_of(milvus_server, token_env=variable)
    assert (error.code, error.reason) == ("token_missing", "the environment variable OUR_MILVUS is not set")
    monkeypatch.setenv(variable, "root:loopback-5b2")
    with open_milvus(MilvusTarget(milvus_server, variable, 20)) as session:
        assert "loopback-5b2" not in repr(session.target)


def test_a_missing_extra_is_a_state_and_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    error = failure_of(str(tmp_path / "milvus.db"))
    assert (error.code, error.reason) == (
        "extra_missing",
        "the package pymilvus is not installed; install the extra: retrieval-eval[milvus]",
    )


def test_a_missing_embedded_engine_is_a_state_and_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(milvus_embedded, "find_spec", lambda _: None)
    assert failure_of(str(tmp_path / "milvus.db")).code == "extra_missing"
