"""Milvus over a corpus, with an embedder behind HTTP: what is found, what is kept, what is noticed."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from stages.commands.embedding import cached_embedder
from stages.commands.milvus_arm import ArmParams, open_milvus_arm
from stages.core.analyser import analyse
from stages.core.case_building import build_cases
from stages.core.chunk_text import chunk_text
from stages.core.index_terms import chunk_terms
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params
from stages.records.params.embedder import EmbedderParams, HttpEmbedderParams
from stages.records.params.milvus import MilvusParams
from stages.retrievers.bm25 import Bm25Index
from stages.retrievers.failure import EngineFailure
from stages.storage.corpus import read_corpus
from stages.storage.golden import read_golden
from tests.embedding_server import DIMENSIONS, character_vector, embeddings
from tests.loopback import Answer, closed_port, json_service

if find_spec("pymilvus") is None or find_spec("milvus_lite") is None:
    pytest.skip("the extra 'milvus' (pymilvus, milvus-lite) is not installed", allow_module_level=True)

ROOT = Path(__file__).parents[2]
FIELDS = ("title", "breadcrumb", "section", "keywords", "body")
CHUNKS = tuple(
    Chunk(chunk_id=f"{name}#{section}", doc_id=name, title=name, section=section, lang=lang, content=text)
    for name, section, lang, text in (
        ("队列", "指标", "zh", "consumer lag 持续上升，分区不均"),
        ("队列", "修复", "zh", "扩容消费者，跳过毒消息"),
        ("pool", "metrics", "en", "pending connections of the pool"),
        ("pool", "fix", "en", "raise the size of the pool, find the leak"),
        ("풀", "지표", "ko", "커넥션 풀 대기"),
    )
)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def embedder_url():
    with json_service(embeddings) as service:
        yield f"{service.url}/v1/embeddings"


def arm_params(url, search="dense", bm25=None, **milvus):
    milvus = {"when_stale": "rebuild", "filter": "", "depth": 30, "index_fields": FIELDS, "timeout_s": 20} | milvus
    milvus = {"uri": "milvus.db", "token_env": None, "collection": "arm", "search": search} | milvus
    bm25 = {"k1": 1.2, "b": 0.75, "depth": 30, "identifier_parts": True, "index_fields": FIELDS} | (bm25 or {})
    http = HttpEmbedderParams(url=url, model="characters", timeout_s=5, retries=0)
    return ArmParams(
        MilvusParams.model_validate(milvus), EmbedderParams(threads=1, http=http), Bm25Params.model_validate(bm25)
    )


def test_the_dense_arm_ranks_by_the_cosine_of_the_embedder(embedder_url):
    with open_milvus_arm(arm_params(embedder_url), CHUNKS) as arm:
        found = arm.search("커넥션 풀")
    question = np.array(character_vector("커넥션 풀"))
    vectors = [np.array(character_vector(chunk_text(chunk, FIELDS))) for chunk in CHUNKS]
    cosines = [float(v @ question / np.linalg.norm(v) / np.linalg.norm(question)) for v in vectors]
    expected = sorted(zip((chunk.chunk_id for chunk in CHUNKS), cosines, strict=True), key=lambda hit: -hit[1])
    assert [chunk_id for chunk_id, _ in found] == [chunk_id for chunk_id, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1.5e-6)


def test_the_sparse_arm_equals_local_bm25_on_every_golden_query(embedder_url):
    """Milvus adds in single precision: neighbours closer than that may change places, and nothing else."""
    chunks = read_corpus(ROOT / "data/corpus")
    cases, _ = build_cases(read_golden([ROOT / "data/golden"]))
    params = arm_params(embedder_url, "sparse")
    bm25 = params.bm25
    index = Bm25Index({chunk.chunk_id: chunk_terms(chunk, bm25) for chunk in chunks}, bm25.k1, bm25.b)
    swapped = 0
    with open_milvus_arm(params, chunks) as arm:
        for case in cases:
            local = index.search(analyse(case.query, bm25.identifier_parts), 30)
            found = arm.search(case.query)
            assert [score for _, score in found] == pytest.approx([score for _, score in local], abs=4e-6)
            scores = dict(local)
            for (one, score), (other, _) in zip(local, found, strict=True):
                swapped += one != other
                assert one == other or scores.get(other, score) == pytest.approx(score, abs=4e-6)
    assert len(cases) > 100
    assert swapped <= len(cases) * 30 // 1000


def test_a_filter_and_a_depth_bound_what_comes_back(embedder_url):
    with open_milvus_arm(arm_params(embedder_url, filter='lang == "en"', depth=1), CHUNKS) as arm:
        assert len(arm.search("pool")) == 1
        assert {chunk_id for chunk_id, _ in arm.search("pool", 5)} == {"pool#fix", "pool#metrics"}


def test_the_provenance_tells_how_and_neither_where_nor_when(embedder_url):
    with open_milvus_arm(arm_params(embedder_url), CHUNKS) as arm:
        provenance = dict(arm.provenance)
    assert provenance.pop("corpus_digest").startswith("sha256:")
    assert provenance.pop("version").startswith("milvus_lite-")
    assert provenance.pop("embedder")["name"] == "characters"
    assert provenance == {
        "engine": "milvus",
        "search": "dense",
        "index": "FLAT",
        "metric": "COSINE",
        "params": {"depth": 30, "filter": "", "index_fields": list(FIELDS)},
    }
    with open_milvus_arm(arm_params(embedder_url, "sparse"), CHUNKS) as arm:
        assert (arm.provenance["index"], arm.provenance["metric"]) == ("SPARSE_INVERTED_INDEX", "IP")
        assert "embedder" not in arm.provenance
        assert embedder_url not in str(arm.provenance)


def test_texts_are_embedded_once_and_a_changed_corpus_only_where_it_changed():
    with json_service(embeddings) as service:
        params = arm_params(f"{service.url}/v1/embeddings")
        asked = []
        for chunks in (CHUNKS, CHUNKS, (*CHUNKS[:-1], CHUNKS[-1].model_copy(update={"content": "새 글"}))):
            with open_milvus_arm(params, chunks) as arm:
                arm.search("pool")
                asked.append((arm.built, [len(body["input"]) for body in service.bodies]))
                service.bodies.clear()
    assert asked == [(True, [5, 1]), (False, []), (True, [1])]


@pytest.mark.parametrize(
    "change",
    [{"bm25": {"k1": 0.9}}, {"index_fields": ("body",)}, {"bm25": {"index_fields": ("body",)}}],
    ids=["bm25.k1", "milvus.index_fields", "bm25.index_fields"],
)
def test_what_goes_into_the_collection_makes_it_stale(embedder_url, change):
    with open_milvus_arm(arm_params(embedder_url), CHUNKS) as arm:
        assert arm.built
    with (
        pytest.raises(EngineFailure) as error,
        open_milvus_arm(arm_params(embedder_url, **change, when_stale="refuse"), CHUNKS),
    ):
        pytest.fail("it opened")
    assert error.value.code == "stale_collection"
    with open_milvus_arm(arm_params(embedder_url, depth=3, filter='lang == "zh"', bm25={"depth": 9}), CHUNKS) as arm:
        assert not arm.built, "how it is asked does not make it stale"


def test_an_embedder_that_changed_its_dimension_under_the_same_name_is_noticed():
    def grown(body, _):
        data = [{"index": i, "embedding": character_vector(t, DIMENSIONS * 2)} for i, t in enumerate(body["input"])]
        return Answer({"data": data})

    with json_service(embeddings) as service:
        url = f"{service.url}/v1/embeddings"
        with open_milvus_arm(arm_params(url), CHUNKS):
            pass
    port = int(url.rpartition(":")[2].partition("/")[0])
    with (
        json_service(grown, port) as service,
        open_milvus_arm(arm_params(url), CHUNKS) as arm,
        pytest.raises(EngineFailure) as error,
    ):
        arm.search("a question that is not kept")
    assert error.value.code == "wrong_dimension"
    assert "has 64 dimensions" in error.value.reason
    assert service.bodies


def test_an_embedder_that_is_down_is_a_state(embedder_url):
    params = arm_params(f"http://127.0.0.1:{closed_port()}/v1/embeddings")
    with pytest.raises(EngineFailure) as error, open_milvus_arm(params, CHUNKS):
        pytest.fail("it opened")
    assert error.value.code == "embedder_connection_refused"
    with open_milvus_arm(arm_params(embedder_url), CHUNKS) as arm:
        assert arm.search("pool")


def test_damaged_vectors_are_made_anew_and_counted(embedder_url, capsys):
    with open_milvus_arm(arm_params(embedder_url), CHUNKS) as arm:
        before = arm.search("pool")
    for file in list(Path("data/build/vectors").rglob("*.vector"))[:3]:
        file.write_bytes(file.read_bytes()[:-1])
    with open_milvus_arm(arm_params(embedder_url), CHUNKS) as arm:
        assert arm.search("pool") == before
    assert "3 cached vectors were damaged, and were made anew" in capsys.readouterr().err
    assert cached_embedder(arm_params(embedder_url).embedder).embed(["pool"], "query").shape == (1, DIMENSIONS)
