"""Fusing what engines just answered equals fusing what was recorded of the same answers."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.analyser import analyse
from stages.core.arm_answer import ArmAnswer, arm_answer
from stages.core.candidates import engine_candidates
from stages.core.engine_recording import engine_recording
from stages.core.hybrid import hybrid_recording
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.golden import Evidence
from stages.records.params.hybrid import HybridParams
from stages.records.params.rerank import RerankParams
from stages.records.recording import PathState
from stages.retrievers.bm25 import Bm25Index
from stages.storage.recordings import read_recordings, write_recordings_jsonl

WORDS = ["线程池", "耗尽", "consumer", "lag", "积压", "원인", "mq_lag"]
DEPTH = 5
RERANK = RerankParams(enabled=True, window=4, heading=0.3, identifier=0.2, intent=0.1)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)


@pytest.mark.parametrize("method", ["rrf", "min_max", "z_score"])
@settings(deadline=None, max_examples=30)
@given(contents=st.lists(texts, min_size=1, max_size=12), query=texts, other=st.randoms(use_true_random=False))
def test_the_hybrid_is_the_same_live_and_recorded(method, contents, query, other):
    chunks = {
        f"d{number}#s": Chunk(chunk_id=f"d{number}#s", doc_id=f"d{number}", section="s", content=text)
        for number, text in enumerate(contents)
    }
    bm25 = Bm25Index({name: analyse(chunk.content) for name, chunk in chunks.items()}, 1.2, 0.75)
    cosines = sorted(((round(other.uniform(0.7, 0.9), 6), name) for name in chunks), key=lambda hit: (-hit[0], hit[1]))
    answers = {
        "bm25": bm25.search(analyse(query), DEPTH),
        "milvus": [(name, score) for score, name in cosines[:DEPTH]],
    }
    params = HybridParams.model_validate(
        {"method": method, "rrf_k": 60, "depth": DEPTH, "weights": {"bm25": 1.0, "milvus": 0.7}}
    )
    provenance = {"engine": "any", "params": {"depth": DEPTH}, "corpus_digest": "sha256:0"}

    live = {
        name: ArmAnswer(engine_candidates(found, chunks, name), corpus_digest="sha256:0")
        for name, found in answers.items()
    }
    recorded = {name: replayed(query, found, chunks, provenance) for name, found in answers.items()}

    now = hybrid_recording("one", query, live, params, RERANK)
    later = hybrid_recording("one", query, recorded, params, RERANK)
    assert [(item.chunk_id, item.score) for item in now.candidates] == [
        (item.chunk_id, item.score) for item in later.candidates
    ]
    assert now.provenance == later.provenance


def replayed(query, found, chunks, provenance):
    case = Case(
        id="one",
        scenario="chat_lookup",
        query=query,
        fault_type=None,
        lang=None,
        tags=(),
        answerable=False,
        expectations=(),
        evidence=Evidence(),
    )
    with tempfile.TemporaryDirectory() as folder:
        write_recordings_jsonl(Path(folder), [engine_recording("one", query, found, chunks, provenance)])
        return arm_answer(case, PathState(path="x", status="ready"), read_recordings(Path(folder))["one"], DEPTH)
