"""The runbook evaluator's cases: what is used, what is refused, and what comes back."""

import json
from pathlib import Path

import pytest

from stages.records.chunk import Chunk
from stages.records.golden import Expected, StructuredQuery
from stages.storage.corpus import read_corpus
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.runbook import read_runbook, write_runbook

CHUNK = Chunk(
    chunk_id="mq-backlog#核心指标",
    doc_id="mq-backlog",
    section="核心指标",
    breadcrumb=("消息队列", "MQ 堆积", "核心指标"),
    content="看积压。",
)
CORPUS = CorpusLookup([CHUNK])
CASE = {
    "caseId": "mq_core_metrics",
    "scenarioCode": "MQ_BACKLOG",
    "query": {
        "ruleResult": {"faultName": "MQ 消息堆积", "evidence": ["publishCount=10", "consumeCount=1"]},
        "metrics": [
            {"metricName": "publishCount", "metricValue": "10", "metricUnit": "count", "component": "RabbitMQ"},
            {"metricName": "backlog", "metricValue": 7},
        ],
    },
    "expected": [{"docId": "mq-backlog", "section": "核心指标"}],
}


def written(tmp_path: Path, value: object) -> Path:
    path = tmp_path / "rag_eval_cases.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_case_keeps_rule_metrics_units_and_components(tmp_path):
    found = read_runbook(written(tmp_path, [CASE]), CORPUS)
    case = found.cases[0].case
    assert (found.rows_in, found.rows_used, found.refused, found.remarks) == (1, 1, (), ())
    assert (case.id, case.fault_type, found.cases[0].scenario) == ("mq_core_metrics", "MQ_BACKLOG", "aiops_alert")
    assert case.query == StructuredQuery(
        rule_result={"faultName": "MQ 消息堆积", "evidence": "publishCount=10; consumeCount=1"},
        metrics={"RabbitMQ/publishCount": "10 count", "backlog": 7},
    )
    assert isinstance(case.expected, Expected)
    assert case.expected.evidence.breadcrumbs == (("消息队列", "MQ 堆积", "核心指标"),)


def test_the_round_trip_gives_the_same_file(tmp_path):
    graded = {**CASE, "caseId": "two", "query": "积压了", "expected": [{"docId": "a", "section": "b", "grade": 3}]}
    found = read_runbook(written(tmp_path, [CASE, graded]), CORPUS)
    out = tmp_path / "out.json"
    lost = write_runbook(out, found.cases)
    assert json.loads(out.read_text(encoding="utf-8")) == [CASE, graded]
    assert lost == ["case mq_core_metrics: evidence has no form there", "case two: evidence has no form there"]


def test_without_a_corpus_the_section_is_the_evidence(tmp_path):
    case = read_runbook(written(tmp_path, {"cases": [CASE]}), CorpusLookup()).cases[0].case
    assert case.expected.evidence.keywords == ("核心指标",)


REFUSED = [
    (17, "row 1: the row is no object. Write one case a row."),
    ({**CASE, "caseId": ""}, "row 1: the case has no id. Give it one."),
    (
        {**CASE, "expected": []},
        (
            "case mq_core_metrics: row 1: expected names no document. "
            "Label it, or write a golden case with `expected: none`."
        ),
    ),
    (
        {**CASE, "expected": ["mq"]},
        "case mq_core_metrics: row 1: expected holds 'mq', which is no label. Write docId and section.",
    ),
    (
        {**CASE, "expected": [{"docId": "mq", "section": "a", "grade": 0.5}]},
        (
            "case mq_core_metrics: row 1: expected.documents[1].relevance is 0.5, which is no whole number. "
            "Correct the row."
        ),
    ),
    (
        {**CASE, "expected": [{"docId": ["mq"], "section": "a"}]},
        (
            "case mq_core_metrics: row 1: expected holds {'docId': ['mq'], 'section': 'a'}, whose ids are no texts. "
            "Write docId and section."
        ),
    ),
    (
        {**CASE, "query": {}},
        "case mq_core_metrics: row 1: the query holds neither ruleResult nor metrics. Write a query.",
    ),
    (
        {**CASE, "query": {"metrics": [{"metricName": "a", "metricValue": 1}, {"metricName": "a", "metricValue": 2}]}},
        "case mq_core_metrics: row 1: the metric 'a' is given twice. Keep one of the two.",
    ),
    (
        {**CASE, "query": {"metrics": [{"metricName": "a", "value": 1}]}},
        (
            "case mq_core_metrics: row 1: metrics holds {'metricName': 'a', 'value': 1}, which has no metricName and "
            "metricValue. Give the metric a name and a value."
        ),
    ),
    (
        {**CASE, "expected": [{"docId": "mq", "grade": 3, "relevance": 1}]},
        (
            "case mq_core_metrics: row 1: expected holds {'docId': 'mq', 'grade': 3, 'relevance': 1}, with two grades. "
            "Keep one of the two."
        ),
    ),
]


@pytest.mark.parametrize(("row", "message"), REFUSED)
def test_a_row_that_cannot_be_used_is_refused_with_its_reason_and_stops_no_other(tmp_path, row, message):
    good = {**CASE, "caseId": "good"}
    found = read_runbook(written(tmp_path, [row, good]), CorpusLookup())
    assert (found.rows_in, found.rows_used) == (2, 1)
    text = str(found.refused[0]).removeprefix(f"{tmp_path / 'rag_eval_cases.json'}: ")
    assert text == message


def test_without_anything_to_see_the_document_ids_stand_in_and_that_is_remarked(tmp_path):
    row = {**CASE, "expected": [{"docId": "mq"}, {"docId": "old", "grade": 0}]}
    found = read_runbook(written(tmp_path, [row]), CorpusLookup())
    assert found.cases[0].case.expected.evidence.keywords == ("mq",)
    assert [remark.message for remark in found.remarks] == [
        "nothing is known that could be seen in what is found; document ids stand in, so it is medium at best"
    ]


def test_an_id_used_twice_is_refused_and_an_unusable_id_is_renamed_with_a_remark(tmp_path):
    rows = [CASE, CASE, {**CASE, "caseId": "MQ 积压/1"}, {**CASE, "caseId": "mq-1"}, {**CASE, "caseId": "积压"}]
    found = read_runbook(written(tmp_path, rows), CORPUS)
    assert [item.case.id for item in found.cases] == ["mq_core_metrics", "mq-1", "mq-1-2", "case-5"]
    assert [problem.message for problem in found.refused] == ["row 2: the id 'mq_core_metrics' is used twice"]
    assert found.remarks[0].message == "row 3: the id 'MQ 积压/1' cannot be a file name; the case is called 'mq-1'"


def test_a_lower_case_scenario_code_is_the_scenario_and_a_homeless_field_is_remarked(tmp_path):
    row = {**CASE, "scenarioCode": "chat_lookup", "owner": "sre"}
    found = read_runbook(written(tmp_path, [row]), CORPUS)
    assert (found.cases[0].scenario, found.cases[0].case.fault_type) == ("chat_lookup", None)
    assert [remark.message for remark in found.remarks] == ["the field 'owner' has no place in a case"]


SHARED = [
    ("tidb-alerts-zh/cases_description_to_handling.jsonl", None, ()),
    ("prom-runbooks/cases.jsonl", "prom-runbooks/chunks.jsonl", ("summary", "description")),
    (
        "kubesphere-runbooks/cases_en_query_to_zh_doc.jsonl",
        "kubesphere-runbooks/chunks_zh.jsonl",
        ("summary_en", "description_en"),
    ),
]


@pytest.mark.parametrize(("cases", "chunks", "fields"), SHARED)
def test_real_collections_are_read_whole(shared, cases, chunks, fields):
    path = shared / "data" / cases
    corpus = CorpusLookup(read_corpus(shared / "data" / chunks) if chunks else ())
    found = read_runbook(path, corpus, query_fields=fields)
    assert found.rows_in == len(path.read_text(encoding="utf-8").splitlines())
    assert found.rows_in == found.rows_used + len({problem.line for problem in found.refused})
    assert found.rows_used >= 0.9 * found.rows_in
