"""BEIR data sets, in and out."""

import json

import pytest

from stages.records.chunk import Chunk
from stages.records.golden import GoldenCase
from stages.records.imported import ImportedCase
from stages.records.problem import InputError
from stages.storage.formats.beir import read_beir, write_beir

THREE = "query-id\tcorpus-id\tscore\nq 1\t0012\t2\nq2\tNA\t1\nq3\tNA\t1\n"
FOUR = "q 1\t0\t0012\t2\nq2\t0\tNA\t1\nq3\t0\tNA\t1\n"


@pytest.fixture
def data_set(tmp_path):
    def write(**qrels: str):
        (tmp_path / "qrels").mkdir()
        for split, text in qrels.items():
            (tmp_path / f"qrels/{split}.tsv").write_text(text, encoding="utf-8")
        queries = [{"_id": "q 1", "text": "why is it slow"}, {"_id": "q2", "text": "what is missing"}]
        corpus = [{"_id": "0012", "title": "Slow", "text": "It waits."}, {"_id": "NA", "text": "Nothing is here."}]
        for name, rows in (("queries", queries), ("corpus", corpus)):
            (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return tmp_path

    return write


@pytest.mark.parametrize("qrels", [THREE, FOUR], ids=["three columns", "four columns"])
def test_queries_and_judgments_become_cases_and_the_corpus_chunks(data_set, told, qrels):
    """Ids stay the texts they are: `0012` and `NA` are no number and no gap, and a blank is part of an id."""
    found = read_beir(data_set(test=qrels))
    first, second = (item.case for item in found.cases)
    assert (first.id, first.query) == ("q-1", "why is it slow")
    assert [(label.doc_id, label.relevance) for label in first.expected.documents] == [("0012", 2)]
    assert first.expected.evidence.keywords == ("Slow",)
    assert [label.doc_id for label in second.expected.documents] == ["NA"]
    assert [(chunk.chunk_id, chunk.content) for chunk in found.chunks] == [
        ("0012", "It waits."),
        ("NA", "Nothing is here."),
    ]
    assert (found.rows_in, found.rows_used) == (3, 2)
    line = qrels.count("\n")
    assert told(found.refused) == [f"test.tsv:{line}: query 'q3' is not in queries.jsonl. Add it there."]


def test_the_split_is_test_unless_another_is_named_or_the_only_one(data_set, told):
    folder = data_set(dev="q2\tNA\t1\n", test=THREE)
    assert read_beir(folder).rows_in == 3
    dev = read_beir(folder, "dev")
    assert dev.rows_in == 1
    assert told(dev.remarks)[-1] == "queries.jsonl: queries without a judgment in dev.tsv: 1. They are left out."
    with pytest.raises(InputError, match=r"there is no qrels/train.tsv; there are: dev, test. Name one with --split"):
        read_beir(folder, "train")


def test_every_faulty_judgment_is_told_at_once(data_set, told):
    rows = "q2\tNA\t0.5\nq2\tNA\nq2\t0012\t1\nq2\t0012\t1\n"
    with pytest.raises(InputError) as caught:
        read_beir(data_set(test=rows))
    assert told(caught.value.problems) == [
        "test.tsv:1: the grade '0.5' is not an integer. Write query, document and grade, parted by tabs.",
        "test.tsv:2: the row has 2 columns: 'q2\\tNA'. Write query, document and grade, parted by tabs.",
        (
            "test.tsv:4: document '0012' was judged for query 'q2' already. "
            "Write query, document and grade, parted by tabs."
        ),
    ]


def test_a_data_set_that_is_no_folder_or_has_no_judgments_is_said(data_set):
    folder = data_set()
    for name, what in (
        ("nowhere", "nowhere: there is no such folder"),
        ("corpus.jsonl", "corpus.jsonl: this is a file, and no folder"),
        (".", f"{folder}: the folder holds no qrels/*.tsv"),
    ):
        with pytest.raises(InputError) as caught:
            read_beir(folder / name)
        assert str(caught.value).endswith(f"{what}. Name the folder of the data set.")


def test_judgments_of_another_split_are_not_left_beside_new_queries(data_set, told):
    folder = data_set(dev="q2\tNA\t1\n")
    with pytest.raises(InputError) as caught:
        write_beir(folder, [], [], "document")
    assert told(caught.value.problems) == [
        (
            "dev.tsv: the file is there already, this export does not write it, and it would be read as part of it. "
            "Remove it or name another folder."
        )
    ]
    assert len((folder / "queries.jsonl").read_text().splitlines()) == 2


def test_ids_are_texts_and_stand_once(data_set, told):
    folder = data_set(test=THREE)
    (folder / "queries.jsonl").write_text('{"_id": 7, "text": "a"}\n{"_id": "b"}\n{"_id": "b"}\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_beir(folder)
    assert told(caught.value.problems) == [
        "queries.jsonl:1: _id is 7, which is no text. Give a text.",
        "queries.jsonl:3: _id 'b' is used twice. Give each its own.",
    ]


def test_what_is_written_reads_back(data_set, tmp_path):
    found = read_beir(data_set(test=THREE))
    lost = write_beir(tmp_path / "out", found.cases, found.chunks, "document")
    again = read_beir(tmp_path / "out")
    assert again.cases == found.cases
    assert again.chunks == found.chunks
    assert lost == ["case q-1: evidence has no form there", "case q2: evidence has no form there"]


def test_a_corpus_may_be_written_by_chunk(tmp_path):
    chunks = [Chunk(chunk_id=f"mq#{name}", doc_id="mq", title="MQ", section=name, content=name) for name in "ab"]
    write_beir(tmp_path, [], chunks, "chunk")
    rows = (tmp_path / "corpus.jsonl").read_text().splitlines()
    assert [json.loads(row)["_id"] for row in rows] == ["mq#a", "mq#b"]
    write_beir(tmp_path, [], chunks, "document")
    assert json.loads((tmp_path / "corpus.jsonl").read_text()) == {"_id": "mq", "title": "MQ", "text": "a\n\nb"}


def test_a_corpus_by_section_holds_what_is_judged(tmp_path):
    """The ids of the judgments are the ids of the corpus; where there is no section the document stands alone."""
    chunks = [Chunk(chunk_id=f"mq-{name}", doc_id="mq", section=name, content=name) for name in "ab"]
    chunks.append(Chunk(chunk_id="db-0", doc_id="db", content="c"))
    documents = [{"doc_id": "mq", "section": "b", "relevance": 2}, {"doc_id": "db"}]
    expected = {"documents": documents, "evidence": {"keywords": ["b"]}}
    case = ImportedCase("chat_lookup", GoldenCase(id="q", query="why", expected=expected))
    write_beir(tmp_path, [case], chunks, "section")
    rows = [json.loads(row) for row in (tmp_path / "corpus.jsonl").read_text().splitlines()]
    assert [(row["_id"], row["text"]) for row in rows] == [("db", "c"), ("mq#a", "a"), ("mq#b", "b")]
    assert (tmp_path / "qrels/test.tsv").read_text().splitlines()[1:] == ["q\tdb\t1", "q\tmq#b\t2"]


def test_texts_are_texts_and_joined_judgments_are_refused(data_set, told):
    folder = data_set(test=THREE + "\ufeff" + THREE)
    with pytest.raises(InputError) as caught:
        read_beir(folder)
    assert told(caught.value.problems)[0] == (
        "test.tsv:5: a byte order mark stands here, as where files were joined. "
        "Write query, document and grade, parted by tabs."
    )
    (folder / "qrels/test.tsv").write_text(THREE, encoding="utf-8")
    (folder / "corpus.jsonl").write_text('\n{"_id": "NA", "text": ["a", "b"]}\n{"_id": "b"}\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_beir(folder)
    assert told(caught.value.problems) == ["corpus.jsonl:2: text is ['a', 'b'], which is no text. Give a text."]
