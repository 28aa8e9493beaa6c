"""The report on retrievers: all sections in order, and nothing that was not run is shown as a zero."""

import re

import pytest

from stages.core.retriever_report import retriever_report
from stages.core.retriever_report_view import RULE_WORDS, retriever_report_view
from stages.records.recording import PathState
from stages.rendering.template import render
from stages.storage.json_file import dump_json
from tests.retriever_paths import golden, scored_path

CASES = [
    golden("a", "mq#原因", query="积压 | <b>为什么</b>"),
    golden("b", "db#修复", fault_type="SLOW_SQL"),
    golden("none"),
]
DOWN = PathState(path="milvus", status="unavailable", code="not_captured", reason="milvus was never captured")
BM25 = {"a": ["mq#原因"], "b": ["db#指标"], "none": []}


def markdown(paths):
    return render("retrievers.md.j2", **retriever_report_view(retriever_report(paths)))


@pytest.fixture(scope="module")
def all_three():
    hybrid = {"a": ["mq#原因"], "b": ["db#修复"], "none": []}
    found = {"bm25": BM25, "milvus": {"a": [], "b": ["db#修复"], "none": []}, "hybrid": hybrid}
    return {name: scored_path(name, CASES, lists) for name, lists in found.items()}


def test_the_sections_stand_in_order(all_three):
    assert re.findall(r"^## (.*)", markdown(all_three), re.MULTILINE) == [
        "Overview",
        "Overall Metrics",
        "Retriever Comparison",
        "Metrics By Fault Type",
        "Case Details",
        "Miss Cases",
        "Optimization Suggestions",
        "How this was made",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "3 cases, of which 2 have an answer. topK 3; a hit is the expected document and section.",
        "| bm25 | ok | 2 | 1 |  |",
        "| hybrid | 1.000 | 1.000 | 1.000 | 1.000 | 2 |",
        "| recall@3 | 0.500 | 0.500 | 1.000 | hybrid |",
        "| SLOW_SQL | 1 | 0.000 | 1.000 | 1.000 | milvus, hybrid | 0.000 | 1.000 | 1.000 | milvus, hybrid |",
        "| a | MQ_BACKLOG | 积压 \\| &lt;b&gt;为什么&lt;/b&gt; | mq#原因 | 1 (1.00) | – (0.00) | 1 (1.00) |",
        "| nothing retrieved | 0 | 1 | 0 |",
        "| b | SLOW_SQL | right document, wrong section, at rank 1 | db#修复 | db#指标 |",
        "| a | MQ_BACKLOG | nothing retrieved | mq#原因 | – |",
        "No case was missed. A set without a miss shows no improvement: add harder cases.",
    ],
)
def test_what_the_report_says(all_three, line):
    assert line in markdown(all_three).splitlines()


def test_every_table_has_as_many_cells_as_its_head(all_three):
    tables = re.split(r"\n\n+", markdown(all_three))
    for table in (part for part in tables if part.startswith("|")):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_a_retriever_that_failed_or_was_not_asked_has_no_number():
    paths = {"bm25": scored_path("bm25", CASES, BM25), "milvus": scored_path("milvus", CASES, {}, state=DOWN)}
    lines = markdown(paths).splitlines()
    for line in (
        "| milvus | **failed** | – | – | milvus was never captured (not_captured) |",
        "| hybrid | not run | – | – | it was not asked for |",
        "| milvus | **failed** | **failed** | **failed** | **failed** | – |",
        "| hybrid | not run | not run | not run | not run | – |",
        "| b | SLOW_SQL | query of b | db#修复 | – (0.00) | unavailable |",
        "No result: milvus was never captured (`not_captured`).",
    ):
        assert line in lines
    rows = {row.name: row for row in retriever_report(paths).retrievers}
    assert rows["milvus"].means == rows["hybrid"].means == {}


def test_with_no_result_at_all_the_report_still_says_why():
    text = markdown({"milvus": scored_path("milvus", CASES, {}, state=DOWN)})
    assert "There is nothing to group: no case has a result on every retriever that ran." in text
    assert "No rule found anything." in text


def test_the_order_in_which_retrievers_are_given_changes_no_byte(all_three):
    turned = dict(reversed(all_three.items()))
    assert dump_json(retriever_report(turned)) == dump_json(retriever_report(all_three))


def test_every_rule_has_a_heading(all_three):
    assert {one.rule for one in retriever_report(all_three).suggestions} <= RULE_WORDS.keys()
