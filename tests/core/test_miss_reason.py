"""Why a case is a miss: the reasons in their fixed order."""

import pytest

from stages.core.miss_reason import miss_cases, miss_counts
from tests.retriever_paths import golden, scored_path

CASE = golden("c", "mq#原因", "mq#修复")


@pytest.mark.parametrize(
    ("found", "code", "message"),
    [
        ([], "nothing_retrieved", "nothing retrieved"),
        (["mq#修复", "db#原因"], "partial_recall", "partial recall 0.50"),
        (["db#原因", "mq#指标"], "wrong_section", "right document, wrong section, at rank 2"),
        (["db#原因"], "wrong_document", "wrong document"),
        (["db#1", "db#2", "db#3", "mq#原因"], "wrong_document", "wrong document"),
    ],
)
def test_each_shortfall_has_one_reason(found, code, message):
    path = scored_path("bm25", [CASE], {"c": found})
    (miss,) = miss_cases(path)
    assert (miss.code, miss.message) == (code, message)
    assert miss_counts(path) == {
        name: int(name == code) for name in ("nothing_retrieved", "partial_recall", "wrong_section", "wrong_document")
    }


def test_a_case_with_everything_found_is_no_miss():
    assert miss_cases(scored_path("bm25", [CASE], {"c": ["db#1", "mq#修复", "mq#原因"]})) == []


def test_cases_that_were_not_run_or_have_no_answer_are_no_miss():
    assert miss_cases(scored_path("bm25", [CASE, golden("none")], {"none": ["mq#原因"]})) == []


def test_more_expected_than_topk_can_hold_is_said():
    case = golden("c", "mq#1", "mq#2", "mq#3", "mq#4")
    (miss,) = miss_cases(scored_path("bm25", [case], {"c": ["mq#1", "mq#2", "mq#3"]}))
    assert miss.message == "partial recall 0.75; topK 3 has no room for all 4"
    assert miss.missing == ("mq#4",)


def test_misses_stand_by_reason_and_then_by_case():
    cases = [golden(name, "mq#原因", "mq#修复") for name in "abcd"]
    found = {"a": ["db#1"], "b": ["mq#原因"], "c": [], "d": ["mq#修复"]}
    assert [miss.case_id for miss in miss_cases(scored_path("bm25", cases, found))] == ["c", "b", "d", "a"]
