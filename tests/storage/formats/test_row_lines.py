"""Every format tells the line of a row it refuses, also within one JSON document."""

import json

import pytest

from stages.storage.formats.knowledge_base import read_knowledge_base
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.llamaindex import read_llamaindex
from stages.storage.formats.ragas import read_ragas
from stages.storage.formats.run_results import read_run_results
from stages.storage.formats.runbook import read_runbook
from stages.storage.json_place import child_lines

NOTHING = CorpusLookup()
RUNBOOK = """{
  "version": "1, [2]: {3}",
  "cases": [
    {"caseId": "a", "query": "q", "expected": [{"docId": "d", "section": "s"}]},

    {"caseId": "b", "query": "}",
     "expected": []}
  ]
}
"""
RAGAS = '[\n{"user_input": "q", "reference_context_ids": ["d"], "reference_contexts": ["text"]},\n{"user_input": "r"}]'
RUN = '{"per_query": [{"query_id": "a", "query": "q", "hits_top_k": []},\n\n{"query_id": "b", "query": "q"}]}'
LLAMAINDEX = """{"queries": {"a": "q",
  "b": "r"}, "corpus": {"n": "text of n"},
  "relevant_docs": {"a": ["n", "gone"],
    "c": []}}
"""


@pytest.mark.parametrize(
    ("read", "text", "messages"),
    [
        (
            lambda path: read_runbook(path, NOTHING),
            RUNBOOK,
            ["f:6: case b: expected names no document. Label it, or write a golden case with `expected: none`."],
        ),
        (
            lambda path: read_ragas(path, NOTHING),
            RAGAS,
            ["f:3: case row-2: reference_context_ids is empty. Label the row by ids; texts alone name no document."],
        ),
        (read_run_results, RUN, ["f:3: case b: hits_top_k is None, which is no list of hits. Correct the row."]),
        (
            lambda path: read_llamaindex(path, NOTHING),
            LLAMAINDEX,
            ["f:2: case b: no relevant node is named. Add it to relevant_docs."],
        ),
        (
            lambda path: read_knowledge_base(path, NOTHING),
            "- {id: a, query: q, expected_doc_ids: [d], must_contain: [w]}\n- {id: b, query: r, expected_docs: [d]}\n",
            [
                (
                    "f:2: case b: the field 'expected_docs' is unknown, and no other says what is expected. "
                    "Correct its name, or remove it if the service should decline."
                )
            ],
        ),
    ],
    ids=["runbook", "ragas", "run-results", "llamaindex", "knowledge-base"],
)
def test_a_refused_row_has_its_line(written, told, read, text, messages):
    found = read(written("f", text))
    assert (found.rows_in, found.rows_used, told(found.refused)) == (2, 1, messages)


def test_what_is_left_out_of_a_used_row_is_said(written, told):
    found = read_llamaindex(written("f", LLAMAINDEX), NOTHING)
    assert told(found.remarks) == [
        "f:1: case a: the relevant node 'gone' is not in the corpus. Add it, or correct its id.",
        "f:4: relevant_docs names the query 'c', which is not there. Add the query.",
    ]
    query = {"ruleResult": "r", "window": "5m", "metrics": [{"metricName": "m", "metricValue": 1, "host": "h"}]}
    row = {"caseId": "a", "query": query, "expected": [{"docId": "d", "section": "s"}]}
    assert told(read_runbook(written("f", [row]), NOTHING).remarks) == [
        "f:1: case a: the field 'query.metrics.host' has no place in a case. It is left out.",
        "f:1: case a: the field 'query.window' has no place in a case. It is left out.",
    ]
    row = {"user_input": "q", "question": "other", "reference_context_ids": ["d"], "reference_contexts": ["text"]}
    assert told(read_ragas(written("f", [row]), NOTHING).remarks) == [
        "f:1: case row-1: the row asks 'other' besides its query. It is left out."
    ]


def test_lines_are_told_whatever_the_layout():
    data = {"a": [1, {"b": [None, "]}"]}, "x,y:z"], "c": {}, 'd"': {"e": [], "f": 1.5}}
    text = json.dumps(data, indent=1)
    assert [text.split("\n")[line - 1].strip(" ,") for line in child_lines(text, "a").values()] == ["1", "{", '"x,y:z"']
    assert child_lines(text, "c") == {}
    assert {key: text.split("\n")[line - 1].split(":")[0] for key, line in child_lines(text).items()} == {
        "a": ' "a"',
        "c": ' "c"',
        'd"': ' "d\\""',
    }
