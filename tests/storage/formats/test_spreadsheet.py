"""Plain CSV, as spreadsheets write it."""

import csv

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


@pytest.mark.parametrize("text", ["=1+2", "+cpu", "-Xmx 为什么无效", "@all", "\tq", "'=x", "''-x", "'quoted'", "a=b"])
def test_no_cell_is_a_formula_for_a_spreadsheet_and_every_text_comes_back(tmp_path, text):
    expected = {"documents": [{"doc_id": text, "section": text}], "evidence": {"keywords": [f"{text}k"]}}
    item = ImportedCase("s", GoldenCase.model_validate({"id": "a", "query": text, "expected": expected, "notes": text}))
    write_csv(tmp_path / "c.csv", [item])
    with (tmp_path / "c.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell[:1] in {"=", "+", "-", "@", "\t", "\r", "\n"}]
    (found,) = read_csv(tmp_path / "c.csv", NOTHING).cases
    plain = text.strip()
    assert (found.case.query, found.case.notes) == (text, text)
    assert found.case.expected.documents == (Expectation(doc_id=plain, section=plain),)
    assert found.case.expected.evidence.keywords == (f"{plain}k",)


def test_an_export_begins_with_the_mark_that_spreadsheets_need_for_chinese(tmp_path):
    write_csv(tmp_path / "c.csv", [])
    assert (tmp_path / "c.csv").read_bytes().startswith(b"\xef\xbb\xbfid,scenario,")


WHOLE = "Write every cell, empty ones too."
REFUSED = [
    ("a,q,mq,s,0.5,k", "c.csv:2: case a: relevance is '0.5', which is no whole number. Correct the row."),
    ("a,q,,s,1,k", "c.csv:2: case a: the line labels something, but neither doc_id nor label says what. Fill one in."),
    (
        "a,q,mq,s,1,k,more",
        (
            "c.csv:2: the row has 7 cells for 6 columns; 'more' is the first too many. "
            "Quote a cell that holds the separator."
        ),
    ),
    (
        "a,q,mq,s,1",
        f"c.csv:2: the row has 5 cells for 6 columns; 'keywords' is the first without one. {WHOLE}",
    ),
    (
        "a",
        f"c.csv:2: the row has 1 cell for 6 columns; 'query' is the first without one. {WHOLE}",
    ),
    (
        "a;q;;;;",
        f"c.csv:2: the row has 1 cell for 6 columns; 'query' is the first without one. {WHOLE}",
    ),
    (
        "a,q,mq,s,1,k\na,,mq",
        f"c.csv:3: the row has 3 cells for 6 columns; 'section' is the first without one. {WHOLE}",
    ),
    (
        "a,q,mq,s,1,k\na,,,,,",
        (
            "c.csv:3: case a: the case has several lines, and neither doc_id nor label says what this one is for. "
            "Fill one in."
        ),
    ),
    (
        "a,q,,,,k",
        (
            "c.csv:2: case a: keywords is 'k', but neither doc_id nor label says what is expected. "
            "Fill one in, or empty the cell for a case that expects nothing."
        ),
    ),
    (
        'a,"{""metrics"": }",mq,s,1,k',
        "c.csv:2: case a: query looks like JSON, but this is no JSON: Expecting value. Correct it.",
    ),
    (",q,mq,s,1,k", "c.csv:2: the case has no id. Give it one."),
    (
        "a,q,mq,s,1,k\na,other,mq,t,1,",
        "c.csv:3: case a: query is 'other', but 'q' on line 2. Write it on the first line of the case only.",
    ),
    (
        'a,"q\n\nr",mq,s,1,k\na,,mq,t,high,',
        "c.csv:5: case a: relevance is 'high', which is no whole number. Correct the row.",
    ),
    (HEAD.strip(), "c.csv:2: the header stands here again, as where files were joined. Remove the line."),
    ("\ufeff" + HEAD.strip(), "c.csv:2: the header stands here again, as where files were joined. Remove the line."),
    ("\ufeffa,q,mq,s,1,k", "c.csv:2: a byte order mark stands here, as where files were joined. Remove it."),
]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("lines", "message"), REFUSED)
def test_a_line_that_cannot_be_used_refuses_its_case_and_no_other(tmp_path, told, lines, message, ends):
    text = HEAD + lines + "\n\n,,,,,\ngood,q,mq,s,1,k\n"
    (tmp_path / "c.csv").write_bytes(text.replace("\n", ends).encode())
    found = read_csv(tmp_path / "c.csv", NOTHING)
    assert [item.case.id for item in found.cases] == ["good"]
    alone, line = "\na," not in lines, message.split(":")[1]
    beside = (
        f"c.csv:2: case a: line 2 goes with line {line}, since a case is taken whole or not at all. Mend line {line}."
    )
    assert told(found.refused) == ([message] if alone else [beside, message])
    assert found.rows_in - found.rows_used == (1 if alone else 2)


def test_all_that_is_wrong_with_a_case_is_told_at_once_by_line(written, told):
    """A fault of shape, of sense and a contradiction each hide none of the others, on whichever line they stand."""
    rows = ["a,q,mq,s,1,k", "a,other,mq,t,high,", "a,,mq", "a,,mq,u,2,", "b,q", "b,,mq,s,huge,", "b,,mq,t,1,"]
    found = read_csv(written("c.csv", HEAD + "\n".join([*rows, ",q,mq,s,bad,k", "c,q,mq,s,1,k"])), NOTHING)
    assert (found.rows_in, found.rows_used, [item.case.id for item in found.cases]) == (9, 1, ["c"])
    whole = "since a case is taken whole or not at all"
    assert told(found.refused) == [
        f"c.csv:2: case a: lines 2, 5 go with lines 3, 4, {whole}. Mend lines 3, 4.",
        "c.csv:3: case a: query is 'other', but 'q' on line 2. Write it on the first line of the case only.",
        "c.csv:3: case a: relevance is 'high', which is no whole number. Correct the row.",
        f"c.csv:4: the row has 3 cells for 6 columns; 'section' is the first without one. {WHOLE}",
        f"c.csv:6: the row has 2 cells for 6 columns; 'doc_id' is the first without one. {WHOLE}",
        "c.csv:7: case b: relevance is 'huge', which is no whole number. Correct the row.",
        f"c.csv:8: case b: line 8 goes with lines 6, 7, {whole}. Mend lines 6, 7.",
        "c.csv:9: relevance is 'bad', which is no whole number. Correct the row.",
        "c.csv:9: the case has no id. Give it one.",
    ]


def test_each_line_without_an_id_is_told(written, told):
    found = read_csv(written("c.csv", HEAD + ",q,mq,s,1,k\n,r,mq,s,1,k\n"), NOTHING)
    assert told(found.refused) == [f"c.csv:{line}: the case has no id. Give it one." for line in (2, 3)]


COLUMNS = (
    "The columns are id, scenario, query, fault_type, lang, tags, notes, keywords, breadcrumbs, forbidden, doc_id, "
    "label, section, chunk_ids, relevance, parted by comma, semicolon or tab."
)
WRONG = [
    ("id,doc_id\na,b\n", [f"c.csv:1: no column query. {COLUMNS}"]),
    (
        "id|query|doc_id\na|b|c\n",
        [
            (
                "c.csv:1: no column id; no column query; 'id|query|doc_id': no known column; "
                f"no column doc_id or label, so every case would expect nothing. {COLUMNS}"
            )
        ],
    ),
    ("id,query,doc_id,Dokument\na,b,c,d\n", [f"c.csv:1: 'Dokument': no known column. {COLUMNS}"]),
    ("id,query\na,b\n", [f"c.csv:1: no column doc_id or label, so every case would expect nothing. {COLUMNS}"]),
    ("\nid,query,query\na,b,c\n", ["c.csv:2: the column 'query' stands twice. Keep one of the two."]),
    (
        'id,query,doc_id\nb,"x\ny",d\na,"b\n\n\n',
        [
            (
                "c.csv:4: the row that begins here is no CSV: unexpected end of data. "
                "Close its cells, and write a quote within a cell twice."
            )
        ],
    ),
    ("", ["c.csv:1: the file is empty: it has no header. Check the name."]),
]


@pytest.mark.parametrize(("text", "messages"), WRONG)
def test_a_file_that_is_no_table_of_ours_is_refused_with_all_that_is_wrong(written, told, text, messages):
    with pytest.raises(InputError) as caught:
        read_csv(written("c.csv", text), NOTHING)
    assert told(caught.value.problems) == messages


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le"])
def test_utf_16_is_one_clear_error(tmp_path, code):
    (tmp_path / "c.csv").write_bytes((HEAD + "a,q,mq,s,1,k\n").encode(code))
    with pytest.raises(InputError) as caught:
        read_csv(tmp_path / "c.csv", NOTHING)
    (problem,) = caught.value.problems
    assert (problem.line, problem.message) in [(1, "the file is UTF-16"), (1, "the file holds a NUL byte")]
