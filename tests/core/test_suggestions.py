"""Suggestions: each rule finds its pattern, names its cases, and is silent otherwise."""

import pytest

from stages.core.retriever_comparison import compare_retrievers
from stages.core.suggestions import suggestions
from stages.records.recording import PathState
from tests.retriever_paths import golden, scored_path

ENOUGH = [golden(f"z{number}", "mq#原因") for number in range(5)]
FIRST, NONE = ["mq#原因"], ["db#1", "db#2", "db#3"]
HYBRID = PathState(path="hybrid", status="ready", provenance={"params": {"hybrid": {"method": "rrf", "rrf_k": 60.0}}})


def found(case, **lists):
    """What the rules say of one case beside five that everybody finds."""
    cases = [case, *ENOUGH]
    paths = {
        name: scored_path(
            name,
            cases,
            {case.id: ranking, **{other.id: FIRST for other in ENOUGH}},
            state=HYBRID if name == "hybrid" else None,
        )
        for name, ranking in lists.items()
    }
    return {one.rule: one for one in suggestions(paths, compare_retrievers(paths))}


def test_where_everything_is_found_by_all_only_the_hybrid_is_asked_for_its_worth():
    assert set(found(golden("a", "mq#原因"), bm25=FIRST, milvus=FIRST, hybrid=FIRST)) == {"hybrid_no_better"}


def test_a_document_that_bm25_alone_misses_lacks_keywords():
    one = found(golden("a", "mq#原因"), bm25=NONE, milvus=FIRST, hybrid=FIRST)["keywords"]
    assert one.finding == ("bm25 finds no expected document, milvus does in 1 of 1 cases; most often missed: mq (1)")
    assert one.remedy == "Add the words that these questions use to `keywords` of the documents"
    assert one.cases == ("a",)


def test_a_section_mistaken_for_another_speaks_of_titles():
    one = found(golden("a", "mq#原因", "mq#修复"), bm25=["db#1", "mq#指标"], milvus=FIRST)["section_titles"]
    assert one.finding == (
        "the right document is found by another section; most often (over all retrievers): "
        "mq#指标 instead of 修复 (1), mq#指标 instead of 原因 (1)"
    )
    assert one.cases == ("a",)


@pytest.mark.parametrize("name", ["consumer_lag", "consumerLag", "OutOfMemoryError"])
def test_a_missed_question_with_a_name_asks_for_aliases(name):
    one = found(golden("a", "mq#原因", query=f"为什么 {name} 一直涨"), bm25=FIRST, milvus=NONE)["metric_names"]
    assert one.finding == f"questions which hold names as written are missed (milvus misses 1); names: {name} (1)"
    assert one.cases == ("a",)


@pytest.mark.parametrize("words", ["为什么一直涨", "Why is Kafka slow", "JVM 慢", "5xx"])
def test_prose_holds_no_names(words):
    assert "metric_names" not in found(golden("a", "mq#原因", query=words), bm25=NONE, milvus=NONE)


def test_queries_built_from_alerts_that_fare_worse_speak_of_construction():
    one = found(golden("a", "mq#原因", query="lag high value=12"), bm25=NONE, milvus=FIRST)["query_construction"]
    assert one.finding == (
        "queries built from alerts are hit less often than written ones: bm25 hits 0 of 1 against 5 of 5"
    )
    assert one.cases == ("a",)


def test_a_first_place_that_fusion_takes_away_speaks_of_rrf_k():
    rules = found(golden("a", "mq#原因"), bm25=FIRST, milvus=NONE, hybrid=["db#1", "mq#原因"])
    assert rules["rrf_k"].finding == (
        "what an arm has in the first place, the hybrid has not (bm25 1), with method rrf and rrf_k 60"
    )
    assert rules["rrf_k"].cases == ("a",)
    assert "weights" not in rules


def test_a_hit_that_fusion_takes_away_speaks_of_that_arms_weight():
    rules = found(golden("a", "mq#原因"), bm25=FIRST, milvus=NONE, hybrid=NONE)
    assert rules["weights"].finding == "what an arm has within topK, the hybrid has not (bm25 1)"
    assert rules["weights"].remedy.startswith("Try a larger hybrid.weights.bm25:")


def test_a_hit_of_both_arms_that_is_lost_is_no_matter_of_weights():
    rules = found(golden("a", "mq#原因"), bm25=FIRST, milvus=FIRST, hybrid=NONE)
    assert rules["weights"].remedy.startswith("Try another hybrid.rrf_k or hybrid.method:")


def test_a_hybrid_without_both_arms_gets_no_advice_on_fusion():
    assert not {"rrf_k", "weights", "hybrid_no_better"} & set(found(golden("a", "mq#原因"), bm25=FIRST, hybrid=NONE))


def test_sections_just_below_topk_speak_of_topk():
    one = found(golden("a", "mq#原因"), bm25=[*NONE, "mq#原因"], milvus=FIRST)["top_k"]
    assert (one.finding, one.cases) == ("recall rises from topK 3 to 10 (bm25 1)", ("a",))


def test_a_fault_type_with_few_cases_is_thin():
    one = found(golden("a", "mq#原因", fault_type="RARE"), bm25=FIRST, milvus=FIRST)["thin_fault_type"]
    assert one.finding == "fewer than 5 cases, so that even a loss of all can be chance: RARE (1)"
    assert one.cases == ("a",)


def test_without_a_retriever_there_is_no_suggestion():
    assert list(suggestions({}, compare_retrievers({}))) == []
