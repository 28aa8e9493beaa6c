"""The knowledge base's golden queries: what is used, what is refused, and what comes back."""

import pytest
import yaml

from stages.records.chunk import Chunk
from stages.records.golden import Expectation
from stages.records.problem import InputError
from stages.storage.formats.knowledge_base import read_knowledge_base, write_knowledge_base
from stages.storage.formats.labels import CorpusLookup

NOTHING = CorpusLookup()
WHOLE = """\
# a comment
- id: g001
  query: "Cargo 멤버 추가하는 법"
  lang: ko
  expected_doc_ids: [cargo]
  expected_chunk_ids: [c1, c2]
  must_contain: ["[workspace]", members]
  forbidden: [npm]
  difficulty: easy
  group: add-member
- id: g002
  query: 오늘 날씨는?
  lang: ko
"""


def test_every_field_finds_its_place(written):
    found = read_knowledge_base(written("golden_queries.yaml", WHOLE), NOTHING)
    first, second = (item.case for item in found.cases)
    assert (found.rows_in, found.rows_used, found.refused, found.remarks) == (2, 2, (), ())
    assert (first.id, first.lang, first.tags) == ("g001", "ko", ("difficulty:easy", "group:add-member"))
    assert first.expected.documents == (Expectation(doc_id="cargo", chunk_ids=("c1", "c2")),)
    assert first.expected.evidence.keywords == ("[workspace]", "members")
    assert first.expected.forbidden == ("npm",)
    assert second.expected == "none"


def test_the_round_trip_gives_the_same_entries_and_loses_nothing(written, tmp_path):
    found = read_knowledge_base(written("golden_queries.yaml", WHOLE), NOTHING)
    out = tmp_path / "out.yaml"
    assert write_knowledge_base(out, found.cases) == []
    assert yaml.safe_load(out.read_text(encoding="utf-8")) == yaml.safe_load(WHOLE)


def test_ids_without_quotes_stay_as_written_too(written):
    text = "- {id: 0012, query: 404, expected_doc_ids: [007, 1e3], must_contain: [010], forbidden: [0x1F]}\n"
    case = read_knowledge_base(written("g.yaml", text), NOTHING).cases[0].case
    assert (case.id, case.query, case.expected.evidence.keywords) == ("0012", "404", ("010",))
    assert [label.doc_id for label in case.expected.documents] == ["007", "1e3"]
    assert case.expected.forbidden == ("0x1F",)


def test_ids_that_look_like_numbers_stay_as_written(written):
    text = "- {id: '0012', query: q, expected_doc_ids: ['007', NA], must_contain: ['12:30', no]}\n"
    case = read_knowledge_base(written("g.yaml", text), NOTHING).cases[0].case
    assert case.id == "0012"
    assert [label.doc_id for label in case.expected.documents] == ["007", "NA"]
    assert case.expected.evidence.keywords == ("12:30", "no")


def test_the_document_of_a_chunk_is_told_by_the_corpus_or_by_its_id(written):
    corpus = CorpusLookup([Chunk(chunk_id="k1", doc_id="a", section="原因", breadcrumb=("a", "原因"))])
    text = "- {id: x, query: q, expected_doc_ids: [a, b], expected_chunk_ids: ['k1', 'b#步骤']}\n"
    case = read_knowledge_base(written("g.yaml", text), corpus).cases[0].case
    assert case.expected.documents == (
        Expectation(doc_id="a", section="原因", chunk_ids=("k1",)),
        Expectation(doc_id="b", chunk_ids=("b#步骤",)),
    )


REFUSED = [
    (
        "- {id: x, query: q, must_contain: [word]}",
        (
            "g.yaml:1: case x: the entry says what must be contained, but neither document nor chunk. "
            "Add expected_doc_ids."
        ),
    ),
    (
        "- {id: x, query: q, expected_doc_ids: [a, b], expected_chunk_ids: [k], must_contain: [w]}",
        "g.yaml:1: case x: the document of the chunk 'k' cannot be told. Give --corpus, or one expected_doc_ids entry.",
    ),
    (
        "- {id: x, query: q, expected_doc_ids: [{a: 1}], must_contain: [w]}",
        "g.yaml:1: case x: expected_doc_ids is [{'a': 1}], which is no list of texts. Write a list of texts.",
    ),
    ("- {id: x, expected_doc_ids: [a], must_contain: [w]}", "g.yaml:1: case x: query is missing. Correct the row."),
    (
        "- {id: x, query: q, lang: Deutsch, expected_doc_ids: [a], must_contain: [w]}",
        "g.yaml:1: case x: lang is 'Deutsch', which does not match ^[a-z]{2,3}(-[A-Za-z0-9]+)*$. Correct the row.",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_an_entry_that_cannot_be_used_is_refused_with_its_line_and_reason(written, told, text, message):
    found = read_knowledge_base(written("g.yaml", f"{text}\n- {{id: good, query: q}}\n"), NOTHING)
    assert (found.rows_in, found.rows_used, told(found.refused)) == (2, 1, [message])


def test_what_has_no_place_is_remarked(written, told):
    found = read_knowledge_base(written("g.yaml", "- {id: x, query: q, forbidden: [a], owner: me}\n"), NOTHING)
    assert told(found.remarks) == [
        (
            "g.yaml:1: case x: forbidden stands beside no expectation; whatever is returned counts against the case "
            "anyway. It is left out."
        ),
        "g.yaml:1: case x: the field 'owner' has no place in a case. It is left out.",
    ]


def test_a_file_of_another_shape_is_one_clear_error(written, told):
    with pytest.raises(InputError) as caught:
        read_knowledge_base(written("g.yaml", "cases: 3\n"), NOTHING)
    assert told(caught.value.problems) == [
        "g.yaml:1:1: the file holds no list of queries. Check that the format is the right one."
    ]
