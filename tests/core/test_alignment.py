"""The same thing in two stores whose ids need not agree, and the rule that says so."""

import pytest

from stages.core.alignment import align
from stages.records.recording import Candidate

LONG = "消费者组的 lag 持续上升时先看分区是否倾斜，再看消费者是否存活"


def side(*found):
    return [Candidate(rank=rank, **fields) for rank, fields in enumerate(found, 1)]


def ranks_and_rules(left, right):
    return [(one and one.rank, other and other.rank, rule) for one, other, rule in align(side(*left), side(*right))]


@pytest.mark.parametrize(
    ("left", "right", "rule"),
    [
        ({"chunk_id": "a", "doc_id": "d"}, {"chunk_id": "a", "doc_id": "d"}, "chunk_id"),
        ({"chunk_id": "a"}, {"chunk_id": "a"}, "chunk_id"),
        ({"chunk_id": "a", "doc_id": "1", "title": "T"}, {"chunk_id": "a", "doc_id": "2", "title": "t "}, "chunk_id"),
        ({"chunk_id": "1", "doc_id": "d", "content": "x"}, {"chunk_id": "1", "doc_id": "e", "content": "y"}, None),
        ({"chunk_id": "1", "content": "CPU  使用率！"}, {"chunk_id": "u1", "content": "cpu 使用率"}, "content"),
        ({"doc_id": "d", "content": "x"}, {"doc_id": "d", "section": "s", "content": "X"}, "doc_id+content"),
        ({"chunk_id": "1", "content": "！"}, {"chunk_id": "2", "content": "?"}, None),
        ({"doc_id": "mq", "section": "核心 指标"}, {"doc_id": "mq", "section": "核心指标"}, "doc_id+section"),
        ({"doc_id": "7", "title": "MQ 堆积", "section": "a"}, {"doc_id": "9", "title": "mq 堆积", "section": "A"},
         "title+section"),
        ({"doc_id": "mq", "section": "a"}, {"source": "runbooks/mq.md", "breadcrumb": ("消息", "a")}, "source+section"),
        ({"source": "r/mq.md", "section": "a"}, {"source": "/srv/r/mq.md", "section": "a"}, "source+section"),
        ({"source": "a/README.md", "section": "x"}, {"source": "b/README.md", "section": "x"}, None),
        ({"doc_id": "mq", "section": "a"}, {"doc_id": "mq", "section": "b"}, None),
        ({"doc_id": "mq", "section": "a"}, {"doc_id": "mq"}, "doc_id"),
        ({"doc_id": "1", "content": LONG}, {"doc_id": "2", "content": f"前言。{LONG}。后记"}, "content_part"),
        ({"doc_id": "1", "content": "短"}, {"doc_id": "2", "content": "短文"}, None),
        ({"doc_id": "1"}, {"doc_id": "2"}, None),
        ({"title": ""}, {"title": ""}, None),
    ],
)  # fmt: skip
def test_one_against_one(left, right, rule):
    expected = [(1, 1, rule)] if rule else [(1, None, None), (None, 1, None)]
    assert ranks_and_rules([left], [right]) == expected


def test_sure_rules_choose_before_weak_ones():
    left = [{"doc_id": "mq"}, {"doc_id": "mq", "chunk_id": "a", "section": "x"}]
    right = [{"doc_id": "mq", "chunk_id": "a", "section": "x"}, {"doc_id": "mq", "section": "y"}]
    assert ranks_and_rules(left, right) == [(1, 2, "doc_id"), (2, 1, "chunk_id")]


def test_equal_words_of_other_documents_do_not_cross():
    left = [{"doc_id": "a", "content": "见附录"}, {"doc_id": "b", "content": "见附录"}]
    assert ranks_and_rules(left, left[1:]) == [(1, None, None), (2, 1, "doc_id+content")]


def test_a_duplicate_pairs_once():
    one = {"doc_id": "d", "chunk_id": "a"}
    assert ranks_and_rules([one, one], [one]) == [(1, 1, "chunk_id"), (2, None, None)]


def test_what_has_no_partner_stands_alone_left_first():
    left, right = [{"doc_id": "a"}, {"doc_id": "b"}], [{"doc_id": "c"}, {"doc_id": "b"}]
    assert ranks_and_rules(left, right) == [(1, None, None), (2, 2, "doc_id"), (None, 1, None)]


def test_nothing_on_a_side():
    assert align([], []) == []
    assert ranks_and_rules([], [{"doc_id": "a"}]) == [(None, 1, None)]
