"""The reranker changes places by three rules, each of which can be explained and switched off."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.query_intent import intents
from stages.core.rule_rerank import rule_rerank
from stages.records.params.rerank import RerankParams
from stages.records.recording import Candidate


def candidate(rank, section, content="", title="MQ 堆积"):
    return Candidate(rank=rank, chunk_id=f"mq#{section}", title=title, section=section, content=content, score=1 / rank)


def params(**changes):
    return RerankParams.model_validate(
        {"enabled": True, "window": 10, "heading": 0.0, "identifier": 0.0, "intent": 0.0} | changes
    )


def order(query, candidates, rules):
    return [item.candidate.section for item in rule_rerank(query, candidates, rules)]


FOUND = [
    candidate(1, "核心指标", "看 mq_consumer_lag 与 rebalance"),
    candidate(2, "常见原因", "消费者太慢"),
    candidate(3, "修复建议", "先扩分区, 再看 ERR-1042"),
]


def test_without_bonuses_the_order_stays():
    assert order("积压怎么处理", FOUND, params()) == ["核心指标", "常见原因", "修复建议"]


def test_a_question_for_fixes_lifts_the_section_of_fixes():
    assert order("积压怎么处理", FOUND, params(intent=0.21)) == ["修复建议", "核心指标", "常见原因"]


def test_an_identifier_as_written_lifts_its_chunk():
    lifted = rule_rerank("出现 err-1042 是什么", FOUND, params(identifier=0.3))
    assert [item.candidate.section for item in lifted] == ["修复建议", "核心指标", "常见原因"]
    assert (lifted[0].rank_before, lifted[0].score, lifted[0].rules) == (3, 1.1, {"identifier": 1.0})


def test_the_words_of_a_heading_lift_it():
    lifted = rule_rerank("常见原因", FOUND, params(heading=1.0, window=3))
    assert lifted[0].candidate.section == "常见原因"
    assert lifted[0].rules["heading"] == 0.5


def test_below_the_window_nothing_moves():
    assert order("积压怎么处理", FOUND, params(intent=9.0, window=2)) == ["核心指标", "常见原因", "修复建议"]


def test_candidates_without_text_and_empty_queries_are_no_fault():
    bare = [Candidate(rank=1, chunk_id="x"), Candidate(rank=2, chunk_id="y")]
    assert [item.score for item in rule_rerank("", bare, params(heading=1.0, window=2))] == [1.0, 0.5]
    assert rule_rerank("积压", [], params()) == []


@given(st.permutations(range(12)), st.floats(0, 10), st.floats(0, 10), st.integers(1, 12))
def test_nothing_is_lost_and_the_window_stays_above_the_rest(places, heading, intent, window):
    sections = ["常见原因", "修复建议", "核心指标", "other"]
    found = [candidate(rank, f"{sections[place % 4]}{place}") for rank, place in enumerate(places, 1)]
    result = rule_rerank("为什么积压", found, params(heading=heading, intent=intent, window=window))
    assert sorted(item.rank_before for item in result) == list(range(1, 13))
    assert sorted(item.rank_before for item in result[:window]) == list(range(1, window + 1))
    assert [item.rank_before for item in result[window:]] == list(range(window + 1, 13))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("为什么消费变慢", {"cause"}),
        ("Why is it slow, and how do I fix it?", {"cause", "fix"}),
        ("원인 분석", {"cause"}),
        ("조치 방법", {"fix"}),
        ("Key metrics", {"metric"}),
        ("排查步骤", {"diagnosis"}),
        ("预防措施", {"prevention"}),
        ("What the alert means", {"meaning"}),
        ("because of a prefix checklist", set()),
    ],
)
def test_texts_speak_of_parts_of_a_runbook(text, expected):
    assert intents(text) == expected
