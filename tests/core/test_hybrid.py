"""The hybrid says where each candidate comes from, and never hides that an arm is missing."""

import pytest

from stages.core.arm_answer import ArmAnswer, arm_answer
from stages.core.hybrid import hybrid_recording
from stages.core.hybrid_state import hybrid_state
from stages.records.case import Case
from stages.records.golden import Evidence
from stages.records.params.hybrid import HybridParams
from stages.records.params.rerank import RerankParams
from stages.records.problem import InputError
from stages.records.recording import Candidate, PathState, Recording

CASE = Case(
    id="one",
    scenario="chat_lookup",
    query="积压",
    fault_type=None,
    lang=None,
    tags=(),
    answerable=False,
    expectations=(),
    evidence=Evidence(),
)
READY = PathState(path="milvus", status="ready")
OFF = RerankParams(enabled=False, window=10, heading=0, identifier=0, intent=0)
RULES = RerankParams(enabled=True, window=4, heading=0, identifier=0, intent=0.5)


def hybrid(method="rrf", depth=10):
    return HybridParams(method=method, rrf_k=60, depth=depth, weights={"bm25": 1.0, "milvus": 1.0})


def found(*names):
    return tuple(
        Candidate(rank=rank, doc_id=name, chunk_id=f"{name}#常见原因", section="常见原因", score=10.0 - rank)
        for rank, name in enumerate(names, 1)
    )


def recording(*names, **changes):
    return Recording(case_id="one", query="积压", top_k=10, candidates=found(*names)).model_copy(update=changes)


def test_candidates_tell_their_rank_in_each_arm():
    arms = {"bm25": ArmAnswer(found("a", "b")), "milvus": ArmAnswer(found("b", "c"))}
    result = hybrid_recording("one", "积压", arms, hybrid(), OFF)
    assert [(item.rank, item.doc_id, item.score_label) for item in result.candidates] == [
        (1, "b", "rrf"),
        (2, "a", "rrf"),
        (3, "c", "rrf"),
    ]
    assert (result.state, result.code, result.reason) == ("ok", None, None)
    assert result.provenance == {
        "arms": {"bm25": 2, "milvus": 2},
        "origins": [
            {
                "chunk_id": "b#常见原因",
                "arms": {"bm25": 2, "milvus": 1},
                "fused_rank": 1,
                "fused": 0.032522,
                "rules": {},
            },
            {"chunk_id": "a#常见原因", "arms": {"bm25": 1}, "fused_rank": 2, "fused": 0.016393, "rules": {}},
            {"chunk_id": "c#常见原因", "arms": {"milvus": 2}, "fused_rank": 3, "fused": 0.016129, "rules": {}},
        ],
    }


def test_the_reranker_works_after_fusion_and_before_the_cut():
    last = Candidate(rank=2, chunk_id="z#修复建议", section="修复建议", score=0.1)
    arms = {"bm25": ArmAnswer((*found("a"), last)), "milvus": ArmAnswer(found("a"))}
    result = hybrid_recording("one", "积压怎么处理", arms, hybrid(depth=1), RULES)
    assert [(item.chunk_id, item.score, item.score_label) for item in result.candidates] == [
        ("z#修复建议", 1.25, "rule_rerank")
    ]
    assert result.provenance["origins"][0]["rules"] == {"intent": 1.0}
    assert result.provenance["origins"][0]["fused_rank"] == 2


@pytest.mark.parametrize(
    ("state", "recorded", "code", "reason"),
    [
        (
            PathState(path="milvus", status="unavailable", code="connection_refused", reason="nobody listens"),
            recording("b"),
            "connection_refused",
            "milvus: nobody listens; fused from bm25 alone",
        ),
        (READY, None, "not_recorded", "milvus: no recording; fused from bm25 alone"),
        (
            READY,
            recording(state="error", code="timeout", reason="no answer in 5 s"),
            "timeout",
            "milvus: no answer in 5 s; fused from bm25 alone",
        ),
        (
            READY,
            recording("b", query="other"),
            "stale_recording",
            "milvus: recorded for another query; fused from bm25 alone",
        ),
        (
            READY,
            recording("b", "c", top_k=2),
            "too_shallow",
            "milvus: recorded to depth 2, hybrid.depth is 10",
        ),
        (READY, recording("b", code="partial", reason="one shard is down"), "partial", "milvus: one shard is down"),
    ],
)
def test_an_arm_that_fails_degrades_the_answer_and_is_named(state, recorded, code, reason):
    answer = arm_answer(CASE, state, recorded, 10)
    assert answer.code == code
    result = hybrid_recording("one", "积压", {"bm25": ArmAnswer(found("a")), "milvus": answer}, hybrid(), OFF)
    assert (result.state, result.code, result.reason) == ("ok", "degraded", reason)
    assert "a" in [item.doc_id for item in result.candidates]


def test_an_empty_answer_is_an_answer():
    arms = {"bm25": arm_answer(CASE, READY, recording(), 10), "milvus": ArmAnswer(found("a"))}
    result = hybrid_recording("one", "积压", arms, hybrid(), OFF)
    assert (result.code, len(result.candidates)) == (None, 1)


def test_arms_over_different_corpora_degrade_the_answer():
    arms = {
        "bm25": arm_answer(CASE, READY, recording("a", provenance={"corpus_digest": "sha256:1"}), 10),
        "milvus": arm_answer(CASE, READY, recording("b", provenance={"corpus_digest": "sha256:2"}), 10),
    }
    result = hybrid_recording("one", "积压", arms, hybrid(), OFF)
    assert (result.code, result.reason) == ("degraded", "bm25 and milvus ranked different corpora")
    assert len(result.candidates) == 2


def test_without_any_arm_the_case_is_an_error_and_the_path_unavailable():
    arms = {"bm25": ArmAnswer(None, "not_recorded", "no recording"), "milvus": ArmAnswer(None, "timeout", "timeout")}
    result = hybrid_recording("one", "积压", arms, hybrid(), OFF)
    assert (result.state, result.code, result.reason) == ("error", "no_arm", "bm25: no recording; milvus: timeout")
    state = hybrid_state([result], {})
    assert (state.status, state.code) == ("unavailable", "no_arm")


def test_the_state_of_the_path_counts_the_cases_that_lack_an_arm():
    whole, lame = recording("a"), recording("a", code="degraded", reason="milvus: timeout")
    assert hybrid_state([whole, whole], {"engine": "hybrid"}).status == "ready"
    state = hybrid_state([whole, lame, lame], {})
    assert (state.status, state.reason) == ("degraded", "2 of 3 cases lack an arm; mostly: milvus: timeout")


def test_scores_are_needed_only_where_they_are_fused():
    bare = (Candidate(rank=1, chunk_id="a"),)
    arms = {"bm25": ArmAnswer(bare), "milvus": ArmAnswer(found("b"))}
    assert len(hybrid_recording("one", "积压", arms, hybrid("rrf"), OFF).candidates) == 2
    with pytest.raises(
        InputError, match=r"case one: the candidate at rank 1 has no score. Record the arm anew, or use"
    ):
        hybrid_recording("one", "积压", arms, hybrid("min_max"), OFF)
    with pytest.raises(InputError, match=r"the candidate at rank 1 has no chunk id. Record the arm anew"):
        hybrid_recording("one", "积压", {"bm25": ArmAnswer((Candidate(rank=1, doc_id="a"),))}, hybrid(), OFF)
