"""A small corpus of vectors, and real Milvus engines that hold it."""

import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from stages.retrievers.milvus_collection import IndexRows
from tests.loopback import closed_port, wait_for_port

COUNT, DIMENSIONS, TERMS = 80, 16, 40


@pytest.fixture(scope="session")
def rows():
    """80 chunks in two languages; the chunks 10..19 are copies of the first ten, so that ties are plenty."""
    random = np.random.default_rng(20_261_129)
    dense = random.normal(size=(COUNT, DIMENSIONS)).astype(np.float32)
    sparse = []
    for _ in range(COUNT):
        terms = random.choice(np.arange(1, TERMS), 6, replace=False)
        sparse.append({int(term): float(random.integers(1, 64)) / 16 for term in terms})
    dense[10:20], sparse[10:20] = dense[:10], sparse[:10]
    sparse[40] = {}
    texts = [
        {
            "chunk_id": f"文档-{(number * 7) % COUNT:02d}#概述",
            "doc_id": f"文档-{(number * 7) % COUNT:02d}",
            "section": "概述",
            "category": "runbook",
            "lang": "zh" if number % 3 else "ko",
        }
        for number in range(COUNT)
    ]
    return IndexRows(texts, dense, sparse)


@pytest.fixture(scope="session")
def milvus_server(tmp_path_factory):
    """The address of a real Milvus-protocol server in a process of its own."""
    if find_spec("milvus_lite") is None or find_spec("pymilvus") is None:
        pytest.skip("the extra 'milvus' (pymilvus, milvus-lite) is not installed")
    port = closed_port()
    command = [sys.executable, "-m", "milvus_lite", "server", "--host", "127.0.0.1", "--port", str(port)]
    folder = tmp_path_factory.mktemp("milvus-server")
    command += ["--data-dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ) as server:
        try:
            wait_for_port(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
