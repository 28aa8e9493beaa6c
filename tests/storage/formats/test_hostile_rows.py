"""Whatever a row holds, it is used or refused, and never stops the others."""

import contextlib
import csv
import json

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.records.chunk import Chunk
from stages.records.problem import InputError
from stages.storage.formats.aggregates import read_aggregates
from stages.storage.formats.knowledge_base import read_knowledge_base
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.llamaindex import read_llamaindex
from stages.storage.formats.ragas import read_ragas
from stages.storage.formats.run_results import read_run_results
from stages.storage.formats.runbook import read_runbook
from stages.storage.formats.spreadsheet import read_csv
from stages.storage.yaml_file import parse_yaml

CORPUS = CorpusLookup([Chunk(chunk_id="c", doc_id="d", section="s", breadcrumb=("d", "s"), content="text")])
TEXT = st.one_of(
    st.sampled_from(["d", "c", "s", "", " ", "MQ", "a/b"]), st.text(st.characters(exclude_categories=["Cs"]))
)
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.floats(allow_nan=False, allow_infinity=False), TEXT)
ANY = st.recursive(
    SCALAR, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)), max_leaves=6
)


@st.composite
def rows(draw, good, *names, inner=()):
    """Rows made from a good one, with some of its fields (also in lists of objects) anything at all."""
    found = []
    for number in range(draw(st.integers(0, 4))):
        row = {name: f"{value}{number}" if name == names[0] else value for name, value in good.items()}
        for name in draw(st.lists(st.sampled_from(names), max_size=2)):
            item = st.fixed_dictionaries({}, optional=dict.fromkeys(inner, ANY))
            row[name] = draw(st.one_of(ANY, st.lists(item, max_size=3)) if inner else ANY)
        found.append(row if draw(st.integers(0, 9)) else draw(ANY))
    return found


def json_file(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("rows") / "rows.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8", newline="\n")
    return path


def accounted(found, count):
    assert found.rows_in == count
    assert found.rows_used == max(len(found.cases), len(found.recordings))
    assert bool(found.refused) == (found.rows_used < count)


CHECKED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
LABELS = ("docId", "section", "grade", "metricName", "metricValue", "component")


@CHECKED
@given(
    rows(
        {"caseId": "a", "query": "q", "expected": [{"docId": "d", "section": "s"}]},
        "caseId",
        "scenarioCode",
        "query",
        "expected",
        "lang",
        "summary",
        inner=LABELS,
    )
)
def test_runbook(tmp_path_factory, value):
    accounted(read_runbook(json_file(tmp_path_factory, value), CORPUS, query_fields=["summary"]), len(value))


@CHECKED
@given(
    rows(
        {"id": "a", "user_input": "q", "reference_context_ids": ["c"], "retrieved_context_ids": ["c", "x"]},
        "id",
        "user_input",
        "reference_context_ids",
        "reference_contexts",
        "retrieved_context_ids",
        "retrieved_contexts",
    )
)
def test_ragas(tmp_path_factory, value):
    found = read_ragas(json_file(tmp_path_factory, value), CORPUS)
    assert (found.rows_in, bool(found.refused)) == (len(value), found.rows_used < len(value))
    assert {item.case_id for item in found.recordings} <= {item.case.id for item in found.cases}


@CHECKED
@given(
    rows(
        {"query_id": "a", "query": "q", "hits_top_k": [{"rank": 1, "doc_id": "d"}]},
        "query_id",
        "query",
        "hits_top_k",
        "error",
        inner=("rank", "doc_id", "chunk_id", "heading_path", "retrieval", "chunker_version", "score"),
    )
)
def test_run_results(tmp_path_factory, value):
    accounted(read_run_results(json_file(tmp_path_factory, value)), len(value))


@CHECKED
@given(
    rows(
        {"id": "a", "query": "q", "expected_doc_ids": ["d"], "must_contain": ["w"]},
        "id",
        "query",
        "lang",
        "expected_doc_ids",
        "expected_chunk_ids",
        "must_contain",
        "forbidden",
        "group",
        "difficulty",
    )
)
def test_knowledge_base(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("rows") / "golden_queries.yaml"
    path.write_text(yaml.safe_dump(value, allow_unicode=True), encoding="utf-8", newline="\n")
    try:
        count = len(parse_yaml(path.read_text(encoding="utf-8"), "").data)
        found = read_knowledge_base(path, CORPUS)
    except InputError:
        return
    accounted(found, count)


@CHECKED
@given(
    st.dictionaries(TEXT, ANY, max_size=3),
    st.dictionaries(TEXT, TEXT, max_size=2),
    st.dictionaries(TEXT, ANY, max_size=3),
)
def test_llamaindex(tmp_path_factory, queries, corpus, relevant):
    value = {"queries": queries, "corpus": corpus, "relevant_docs": relevant | {key: ["c"] for key in queries}}
    try:
        found = read_llamaindex(json_file(tmp_path_factory, value), CORPUS)
    except InputError:
        return
    accounted(found, len(queries))


@CHECKED
@given(st.lists(st.lists(TEXT, min_size=7, max_size=7), max_size=4))
def test_csv(tmp_path_factory, cells):
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "query", "doc_id", "section", "relevance", "keywords", "scenario"])
        writer.writerows(cells)
    try:
        found = read_csv(path, CORPUS)
    except InputError:
        return
    assert found.rows_used <= found.rows_in
    assert bool(found.refused) == (found.rows_used < found.rows_in)


@CHECKED
@given(st.one_of(ANY, st.dictionaries(st.sampled_from(["hit_at_k", "mrr", "aggregate", "total_queries"]), ANY)))
def test_aggregates(tmp_path_factory, value):
    path = json_file(tmp_path_factory, value)
    with contextlib.suppress(InputError):
        read_aggregates(path)


@pytest.mark.parametrize("text", ["", "null", "{}", "[", '{"cases": 3}'])
def test_a_file_without_rows_is_one_clear_error(tmp_path, text):
    path = tmp_path / "rows.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_runbook(path, CORPUS)
    assert len(caught.value.problems) == 1
