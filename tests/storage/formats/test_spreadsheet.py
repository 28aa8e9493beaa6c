"""Plain CSV, as spreadsheets write it."""

import pytest

from stages.records.golden import Expectation, GoldenCase
from stages.records.imported import ImportedCase
from stages.records.problem import InputError
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.spreadsheet import read_csv, write_csv
from stages.storage.golden import read_golden

NOTHING = CorpusLookup()
HEAD = "id,query,doc_id,section,relevance,keywords\n"


def test_lines_of_one_id_are_one_case(written):
    text = HEAD + 'a,"积压, 怎么办",mq,原因,3,lag|积压\na,,mq,步骤,,\nb,天气?,,,,\n'
    found = read_csv(written("c.csv", "\ufeff" + text), NOTHING)
    first, second = (item.case for item in found.cases)
    assert (found.rows_in, found.rows_used, found.refused) == (3, 3, ())
    assert (first.query, first.expected.evidence.keywords) == ("积压, 怎么办", ("lag", "积压"))
    assert first.expected.documents == (
        Expectation(doc_id="mq", section="原因", relevance=3),
        Expectation(doc_id="mq", section="步骤"),
    )
    assert second.expected == "none"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_are_told_from_the_header(written, delimiter):
    text = (HEAD + "a,q,007,s,1,k\n").replace(",", delimiter)
    case = read_csv(written("c.csv", text), NOTHING).cases[0].case
    assert case.expected.documents == (Expectation(doc_id="007", section="s"),)


def test_the_shipped_golden_set_survives_the_round_trip(golden_folder, tmp_path):
    before = [ImportedCase(one.scenario, one.case) for one in read_golden([golden_folder])]
    assert write_csv(tmp_path / "c.csv", before) == []
    found = read_csv(tmp_path / "c.csv", NOTHING)
    assert found.rows_in == found.rows_used
    assert list(found.cases) == before


def test_signs_of_the_table_inside_an_item_survive_and_what_cannot_be_told_apart_is_lost_aloud(tmp_path):
    evidence = {"keywords": ["cpu|mem", "C:\\", "\\G"], "breadcrumbs": [["a > b", "c|d"], ["e"]]}
    expected = {"documents": [{"doc_id": "x|y", "chunk_ids": ["1|2", "3"]}], "evidence": evidence}
    kept = GoldenCase.model_validate({"id": "kept", "query": "a\nb", "expected": expected, "tags": ["p|q"]})
    odd = GoldenCase.model_validate({"id": "odd", "query": '{"a": 1} means what?', "expected": "none"})
    lost = write_csv(tmp_path / "c.csv", [ImportedCase("s", kept), ImportedCase("s", odd)])
    assert lost == ["case odd: a text that begins like a structured query; the case is left out"]
    assert read_csv(tmp_path / "c.csv", NOTHING).cases == (ImportedCase("s", kept),)


def test_a_backslash_that_a_person_writes_stays(written):
    found = read_csv(written("c.csv", HEAD + "a,q,mq,s,1,show status\\G|lag\n"), NOTHING)
    assert found.cases[0].case.expected.evidence.keywords == ("show status\\G", "lag")


REFUSED = [
    (
        "a,q,mq,s,0.5,k",
        "c.csv:2: case a: expected.documents[1].relevance is '0.5', which is no whole number. Correct the row.",
    ),
    ("a,q,,s,1,k", "c.csv:2: case a: the line labels something, but neither doc_id nor label says what. Fill one in."),
    ("a,q,mq,s,1,k,more", "c.csv:2: the line has more cells than the header. Quote the cell."),
    (
        'a,"{""metrics"": }",mq,s,1,k',
        "c.csv:2: case a: the query looks like JSON but is none: Expecting value. Correct it.",
    ),
    (",q,mq,s,1,k", "c.csv:2: the case has no id. Give it one."),
    (
        "a,q,mq,s,1,k\na,other,mq,t,1,",
        "c.csv:3: case a: query is 'other', but 'q' on line 2. Write it on the first line of the case only.",
    ),
]


@pytest.mark.parametrize(("lines", "message"), REFUSED)
def test_a_line_that_cannot_be_used_refuses_its_case_and_no_other(written, told, lines, message):
    found = read_csv(written("c.csv", HEAD + lines + "\ngood,q,mq,s,1,k\n"), NOTHING)
    assert (found.rows_in - found.rows_used, told(found.refused)) == (lines.count("\n") + 1, [message])


WRONG = [
    (
        "id,doc_id\na,b\n",
        (
            "c.csv:1: no column query. The columns are id, scenario, query, fault_type, lang, tags, notes, "
            "keywords, breadcrumbs, forbidden, doc_id, label, section, chunk_ids, relevance."
        ),
    ),
    (
        "id,query,Dokument\na,b,c\n",
        (
            "c.csv:1: 'Dokument': no known column. The columns are id, scenario, query, "
            "fault_type, lang, tags, notes, keywords, breadcrumbs, forbidden, doc_id, label, section, chunk_ids, "
            "relevance."
        ),
    ),
    ("id,query,query\na,b,c\n", "c.csv:1: the column 'query' stands twice. Keep one of the two."),
    ('id,query\na,"b\n', "c.csv:2: no CSV: unexpected end of data. Repair the line."),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_file_that_is_no_table_of_ours_is_one_clear_error(written, told, text, message):
    with pytest.raises(InputError) as caught:
        read_csv(written("c.csv", text), NOTHING)
    assert told(caught.value.problems) == [message]
