"""LlamaIndex's JSON: cases with the corpus, and back."""

import json

import pytest

from stages.records.chunk import Chunk
from stages.records.golden import Expectation
from stages.records.problem import InputError
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.llamaindex import read_llamaindex, write_llamaindex

DATA = {
    "queries": {"3F2A-1": "why is the queue full", "q2": "queue", "q3": "nothing"},
    "corpus": {"n1": "# Backlog\nThe consumer is slower than the producer.", "n2": "Install"},
    "relevant_docs": {"3F2A-1": ["n1"], "q2": ["n1", "n2"], "q9": ["n1"]},
    "mode": "text",
}


def test_queries_become_cases_and_nodes_become_documents_with_their_opening_as_evidence(written, told):
    found = read_llamaindex(written("qa.json", DATA), CorpusLookup())
    assert (found.rows_in, found.rows_used) == (3, 2)
    first = found.cases[0].case
    assert (first.id, first.query) == ("3f2a-1", "why is the queue full")
    assert first.expected.documents == (Expectation(doc_id="n1"),)
    assert first.expected.evidence.keywords == ("The consumer is slower than",)
    assert [chunk.chunk_id for chunk in found.chunks] == ["n1", "n2"]
    assert told(found.refused) == ["qa.json: case q3: row 3: no relevant node is named. Add it to relevant_docs."]
    assert told(found.remarks) == [
        (
            "qa.json: case 3f2a-1: row 1: the id '3F2A-1' cannot be a file name; the case is called '3f2a-1'. "
            "Nothing need be done."
        ),
        "qa.json: relevant_docs names the query 'q9', which is not there. Add the query.",
    ]


def test_a_node_which_our_corpus_knows_is_labelled_by_document_and_section(written):
    corpus = CorpusLookup([Chunk(chunk_id="n1", doc_id="mq", section="原因", breadcrumb=("mq", "原因"))])
    case = read_llamaindex(written("qa.json", DATA), corpus).cases[0].case
    assert case.expected.documents == (Expectation(doc_id="mq", section="原因", chunk_ids=("n1",)),)


def test_the_round_trip_gives_the_same_queries_corpus_and_labels(written, tmp_path):
    data = {**DATA, "queries": {"q2": "queue"}, "relevant_docs": {"q2": ["n1", "n2"]}}
    found = read_llamaindex(written("qa.json", data), CorpusLookup())
    out = tmp_path / "out.json"
    assert write_llamaindex(out, found.cases, found.chunks) == ["case q2: evidence has no form there"]
    assert json.loads(out.read_text(encoding="utf-8")) == data


WRONG = [
    ([], "qa.json: queries, corpus, relevant_docs: no object of that name. Check that the format is the right one."),
    (
        {**DATA, "corpus": {"n1": 3}},
        "qa.json: the corpus node 'n1' is no text. Check that the format is the right one.",
    ),
]


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_a_file_of_another_shape_is_one_clear_error(written, told, data, message):
    with pytest.raises(InputError) as caught:
        read_llamaindex(written("qa.json", data), CorpusLookup())
    assert told(caught.value.problems) == [message]
