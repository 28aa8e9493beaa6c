"""The summary of a retriever: strict by document and section, and never a zero for what was not run."""

import pytest

from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.core.retriever_summary import retriever_summary
from stages.records.recording import PathState
from stages.records.retriever_summary import RetrieverFailure
from tests.retriever_paths import golden, recording, scored_path

CASES = [golden("both", "mq#原因", "mq#修复"), golden("none"), golden("one", "db#指标")]
FOUND = {"both": ["mq#指标", "mq#原因", "db#指标"], "one": ["mq#指标"], "none": ["mq#指标"]}


def test_the_summary_is_what_the_contract_says():
    summary = retriever_summary(scored_path("bm25", CASES, FOUND))
    assert summary.model_dump(mode="json") == {
        "retrieverName": "bm25",
        "caseCount": 2,
        "hitAtK": 0.5,
        "recallAtK": 0.25,
        "mrr": 0.25,
        "results": [
            {
                "caseId": "both",
                "retrieverName": "bm25",
                "topK": 3,
                "hit": True,
                "reciprocalRank": 0.5,
                "recall": 0.5,
                "expected": [{"docId": "mq", "section": "原因"}, {"docId": "mq", "section": "修复"}],
                "retrieved": [
                    {"docId": "mq", "section": "指标", "score": 1.0},
                    {"docId": "mq", "section": "原因", "score": 0.5},
                    {"docId": "db", "section": "指标", "score": 1 / 3},
                ],
            },
            {
                "caseId": "one",
                "retrieverName": "bm25",
                "topK": 3,
                "hit": False,
                "reciprocalRank": 0.0,
                "recall": 0.0,
                "expected": [{"docId": "db", "section": "指标"}],
                "retrieved": [{"docId": "mq", "section": "指标", "score": 1.0}],
            },
        ],
    }


@pytest.mark.parametrize("grain", ["document", "chunk"])
def test_another_headline_grain_changes_nothing(grain):
    assert retriever_summary(scored_path("bm25", CASES, FOUND, grain=grain)) == retriever_summary(
        scored_path("bm25", CASES, FOUND)
    )


def test_a_path_that_was_down_is_a_failure_with_code_and_state():
    down = PathState(path="milvus", status="unavailable", code="connection_refused", reason="no Milvus at 10.0.0.1:1")
    failure = retriever_summary(scored_path("milvus", CASES, {}, state=down))
    assert failure.model_dump(mode="json") == {
        "retrieverName": "milvus",
        "error": "no Milvus at 10.0.0.1:1",
        "errorCode": "connection_refused",
        "state": "unavailable",
    }


def test_recordings_that_are_too_shallow_are_no_result_and_no_zero():
    failure = retriever_summary(scored_path("milvus", CASES, {"both": ["a"] * 30, "one": ["a"] * 30}, top_k=50))
    assert isinstance(failure, RetrieverFailure)
    assert (failure.error, failure.error_code, failure.state) == (
        "no case could be scored: recorded to depth 30, topK is 50 (2 cases)",
        "too_shallow",
        "not_run",
    )


def test_a_set_without_an_answerable_case_is_no_result():
    failure = retriever_summary(scored_path("bm25", [golden("none")], {"none": []}))
    assert (failure.error, failure.error_code) == ("no case names a section to be found", "no_cases")


def test_cases_left_out_and_a_degraded_path_are_warnings():
    state = PathState(path="hybrid", status="degraded", reason="milvus: down")
    summary = retriever_summary(scored_path("hybrid", CASES, {"one": []}, state=state))
    assert summary.case_count == 1
    assert summary.warnings == ("degraded: milvus: down", "1 case is in no mean, not run: no recording")


def test_reasons_of_one_kind_are_one_warning():
    cases = [golden("a", "mq"), golden("b", "mq"), golden("c", "mq")]
    asked = [case.model_copy(update={"query": f"old {case.id}"}) for case in cases[:2]] + cases[2:]
    path = scored_path("milvus", asked, {"a": [], "b": [], "c": []})
    stale = replay_path(cases, {case.id: recording(case, []) for case in asked}, path.state, 3, (1,))
    summary = retriever_summary(score_path(cases, stale, path.yardstick.model_copy(update={"cutoffs": (1,)})))
    assert summary.warnings == (
        "2 cases are in no mean, not run: such as: stale recording: it was made for the query 'old a'",
    )
