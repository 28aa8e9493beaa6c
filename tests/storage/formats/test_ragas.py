"""Ragas-style rows: cases by reference ids, recordings by retrieved ids."""

import json

import pytest

from stages.records.chunk import Chunk
from stages.records.golden import Expectation
from stages.records.imported import ImportedCase
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.ragas import read_ragas, write_ragas

CORPUS = CorpusLookup([Chunk(chunk_id="c1", doc_id="mq", title="MQ", section="原因", breadcrumb=("mq", "原因"))])
ROW = {
    "user_input": "队列为什么满了",
    "reference_context_ids": ["c1", "d9"],
    "reference_contexts": ["消费者变慢", "生产突增"],
    "retrieved_context_ids": ["x", "c1"],
    "retrieved_contexts": ["别的", "消费者变慢了"],
    "reference": "因为消费者变慢",
}


def test_rows_become_cases_and_recordings(written, told):
    found = read_ragas(written("r.jsonl", json.dumps(ROW) + "\n\n"), CORPUS)
    case, recording = found.cases[0].case, found.recordings[0]
    assert (found.rows_in, found.rows_used, case.id, case.query) == (1, 1, "row-1", "队列为什么满了")
    assert case.expected.documents == (
        Expectation(doc_id="mq", section="原因", chunk_ids=("c1",)),
        Expectation(doc_id="d9"),
    )
    assert case.expected.evidence.keywords == ("消费者变慢", "生产突增")
    assert [(c.rank, c.doc_id, c.chunk_id, c.content) for c in recording.candidates] == [
        (1, "x", None, "别的"),
        (2, "mq", "c1", "消费者变慢了"),
    ]
    assert (recording.case_id, recording.query, recording.top_k) == ("row-1", "队列为什么满了", 2)
    assert told(found.remarks) == [
        "r.jsonl:1: case row-1: the field 'reference' has no place in a case. It is left out."
    ]


def test_the_round_trip_keeps_query_ids_and_rankings(written, tmp_path):
    found = read_ragas(written("r.jsonl", json.dumps({"id": "a", **ROW}) + "\n"), CORPUS)
    out = tmp_path / "out.jsonl"
    write_ragas(out, found.cases, {item.case_id: item for item in found.recordings}, CORPUS)
    back = json.loads(out.read_text(encoding="utf-8"))
    kept = ("user_input", "reference_context_ids", "retrieved_context_ids", "retrieved_contexts")
    assert back == {"id": "a", **{name: ROW[name] for name in kept}}


def test_both_sides_are_written_by_chunk_and_read_back(written, tmp_path):
    """A row whose references are documents and whose retrieved ids are chunks would score 0 in every tool."""
    label = Expectation(doc_id="mq", section="原因")
    case = read_ragas(written("r.jsonl", json.dumps(ROW)), CORPUS).cases[0].case
    expected = case.expected.model_copy(update={"documents": (label, Expectation(doc_id="d9"))})
    out = tmp_path / "out.json"
    write_ragas(out, [ImportedCase("chat_lookup", case.model_copy(update={"expected": expected}))], {}, CORPUS)
    assert json.loads(out.read_text(encoding="utf-8"))[0]["reference_context_ids"] == ["c1", "d9"]
    again = read_ragas(out, CORPUS).cases[0].case
    assert again.expected.documents == (label.model_copy(update={"chunk_ids": ("c1",)}), Expectation(doc_id="d9"))


REFUSED = [
    (
        {**ROW, "reference_context_ids": []},
        (
            "r.json: case row-1: row 1: reference_context_ids is empty. "
            "Label the row by ids; texts alone name no document."
        ),
    ),
    (
        {**ROW, "retrieved_contexts": ["one"]},
        (
            "r.json: case row-1: row 1: there are 2 retrieved_context_ids but 1 retrieved_contexts. "
            "Give as many of one as of the other."
        ),
    ),
    ({**ROW, "user_input": ""}, "r.json: case row-1: row 1: query is missing. Correct the row."),
]


@pytest.mark.parametrize(("row", "message"), REFUSED)
def test_a_row_that_cannot_be_used_is_refused(written, told, row, message):
    found = read_ragas(written("r.json", [row, {**ROW, "question": "q"}]), CORPUS)
    assert (found.rows_in, found.rows_used, told(found.refused)) == (2, 1, [message])


def test_a_short_ranking_has_the_depth_of_the_longest_and_is_an_answer(written):
    rows = [
        {"user_input": f"q{count}", "reference_context_ids": ["d0"], "retrieved_context_ids": [f"d{n}" for n in found]}
        for count, found in enumerate([range(3), range(1), ()])
    ]
    recordings = read_ragas(written("r.json", rows), CorpusLookup()).recordings
    assert [(kept.top_k, len(kept.candidates)) for kept in recordings] == [(3, 3), (3, 1), (3, 0)]
