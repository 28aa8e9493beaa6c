"""TREC folders: cases and recordings in, judgments and a run out."""

import pytest

from stages.core.scoring import score_queries
from stages.records.chunk import Chunk
from stages.records.golden import GoldenCase
from stages.records.imported import ImportedCase
from stages.records.problem import InputError
from stages.records.recording import Recording
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.trec_folder import read_trec, write_trec

QRELS = "301 0 doc_a 1\n301 0 doc_b 0\n302 0 doc_a -1\n302 0 doc_c 7\n303 0 doc_a 0\n"
RUN = "301 Q0 doc_b 1 2.0 r\n301 Q0 doc_a 2 2.0 r\n302 Q0 doc_x 1 1 r\n302 Q0 doc_c 2 9 r\n400 Q0 d 1 1 r\n"


def write_folder(folder, qrels=QRELS, run=RUN, queries="301\torganised crime\n302\tpoliomyelitis\n\n400\tx\n"):
    for name, text in (("qrels.txt", qrels), ("run.txt", run), ("queries.tsv", queries)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_judgments_become_cases_and_the_run_recordings(tmp_path):
    found = read_trec(write_folder(tmp_path), CorpusLookup())
    first, second, barren = (item.case for item in found.cases)
    assert (found.rows_in, found.rows_used) == (3, 3)
    assert (first.id, first.query) == ("301", "organised crime")
    assert [(label.doc_id, label.relevance) for label in first.expected.documents] == [("doc_a", 1), ("doc_b", 0)]
    assert [(label.doc_id, label.relevance) for label in second.expected.documents] == [("doc_a", 0), ("doc_c", 3)]
    assert second.expected.evidence.keywords == ("doc_c",)
    assert barren.query == "303"
    assert [str(remark).replace(f"{tmp_path}/", "") for remark in found.remarks] == [
        "qrels.txt:3: case 302: 2 grades outside 0..3 were cut, that of 'doc_a' the first. Nothing need be done.",
        "qrels.txt:5: case 303: queries.tsv has no text for the query; it is asked by its id. Add its text.",
        "queries.tsv: queries without a judgment: 1. They are left out.",
        "run.txt: query '400' has no judgments; its ranking is left out. Nothing need be done.",
    ]


def test_a_ranking_is_read_in_the_order_trec_eval_gives_it(tmp_path):
    """Score falling, then the id falling; the rank column has no say."""
    recordings = read_trec(write_folder(tmp_path), CorpusLookup()).recordings
    assert [[item.doc_id for item in kept.candidates] for kept in recordings] == [
        ["doc_b", "doc_a"],
        ["doc_c", "doc_x"],
    ]
    assert [item.rank for item in recordings[0].candidates] == [1, 2]


def test_a_short_ranking_has_the_depth_of_the_run_and_is_an_answer(tmp_path):
    """The longest tells how deep the run is, also where it is of a query that nobody judged."""
    run = "301 Q0 doc_a 1 1 r\n" + "".join(f"400 Q0 d{rank} {rank} {-rank} r\n" for rank in range(1, 8))
    (kept,) = read_trec(write_folder(tmp_path, run=run), CorpusLookup()).recordings
    assert (kept.top_k, len(kept.candidates)) == (7, 1)


def test_an_export_without_rankings_leaves_no_earlier_run_beside_new_judgments(tmp_path):
    folder = write_folder(tmp_path)
    with pytest.raises(InputError) as caught:
        write_trec(folder, [], {}, "document")
    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        "run.txt: the file is there already, this export does not write it, and it would be read as part of it. "
        "Remove it or name another folder."
    )
    assert (folder / "qrels.txt").read_text() == QRELS
    assert (folder / "run.txt").read_text() == RUN


def test_ids_of_known_chunks_get_their_document_section_and_text(tmp_path):
    chunk = Chunk(chunk_id="mq#a", doc_id="mq", section="a", breadcrumb=("mq", "a"), content="text")
    folder = write_folder(tmp_path, "q 0 mq#a 2\n", "q Q0 mq#a 1 1 r\n", "")
    found = read_trec(folder, CorpusLookup([chunk]))
    (label,) = found.cases[0].case.expected.documents
    assert (label.doc_id, label.section, label.chunk_ids) == ("mq", "a", ("mq#a",))
    assert found.cases[0].case.expected.evidence.breadcrumbs == (("mq", "a"),)
    assert found.recordings[0].candidates[0].content == "text"


def test_faulty_judgments_are_refused_with_their_place(tmp_path):
    with pytest.raises(InputError, match=r"qrels.txt:1:8: the grade '0.5' is not an integer"):
        read_trec(write_folder(tmp_path, "q1 0 a 0.5\n"), CorpusLookup())


def test_what_is_written_reads_back_with_the_same_metrics(tmp_path):
    """Cases and recordings through TREC files and back: the same measures at grain document."""
    found = read_trec(write_folder(tmp_path), CorpusLookup())
    recordings = {kept.case_id: kept for kept in found.recordings}
    lost = write_trec(tmp_path / "out", found.cases, recordings, "document")
    again = read_trec(tmp_path / "out", CorpusLookup())

    def measured(imported):
        judged = {
            item.case.id: {label.doc_id: label.relevance for label in item.case.expected.documents}
            for item in imported.cases
        }
        ranked = {kept.case_id: [item.doc_id for item in kept.candidates] for kept in imported.recordings}
        return score_queries(judged, ranked, ["ap", "ndcg@2", "rr", "judged@2"])

    assert measured(again) == measured(found)
    assert "case 301: the scores do not fall from rank to rank; others stand in for them" in lost
    assert (tmp_path / "out/run.txt").read_text().splitlines()[:2] == [
        "301 Q0 doc_b 1 2 retrieval-eval",
        "301 Q0 doc_a 2 1 retrieval-eval",
    ]


def test_white_space_in_ids_is_escaped_and_repeats_are_said(tmp_path):
    expected = {
        "documents": [{"doc_id": "mq", "section": "why it lags", "relevance": 2}],
        "evidence": {"keywords": ["lag"]},
    }
    case = ImportedCase("chat_lookup", GoldenCase(id="mq", query="why", expected=expected, tags=["hard"]))
    candidates = [
        {"rank": 1, "doc_id": "mq", "section": "why it lags", "score": 2},
        {"rank": 2, "doc_id": "mq", "section": "why it lags", "score": 1.5},
        {"rank": 3, "doc_id": "db", "score": 0.5},
        {"rank": 4, "title": "no id", "score": 0.25},
    ]
    recording = Recording(case_id="mq", query="why", top_k=4, candidates=candidates)
    lost = write_trec(tmp_path, [case], {"mq": recording}, "section")
    assert (tmp_path / "qrels.txt").read_text(encoding="utf-8") == "mq 0 mq#why%20it%20lags 2\n"
    assert (tmp_path / "queries.tsv").read_text(encoding="utf-8") == "mq\twhy\n"
    assert (tmp_path / "run.txt").read_text(encoding="utf-8") == (
        "mq Q0 mq#why%20it%20lags 1 2.0 retrieval-eval\nmq Q0 db 2 0.5 retrieval-eval\n"
    )
    assert lost == [
        "case mq: tags, evidence have no form there",
        "case mq: the candidate at rank 4 has no section id; it is left out",
        "case mq: candidates that repeat a section are left out",
    ]


def test_an_escaped_id_is_read_back_where_the_corpus_knows_it(tmp_path):
    """`%20` was a blank when we wrote it; in a foreign id that no chunk has it stays as it is."""
    chunk = Chunk(chunk_id="mq#why it lags", doc_id="mq", section="why it lags", content="text")
    qrels = "q 0 mq#why%20it%20lags 2\nq 0 http://a/b%20c 1\n"
    found = read_trec(write_folder(tmp_path, qrels, "q Q0 mq#why%20it%20lags 1 1 r\n", ""), CorpusLookup([chunk]))
    labels = found.cases[0].case.expected.documents
    assert [(label.doc_id, label.section) for label in labels] == [("http://a/b%20c", None), ("mq", "why it lags")]
    assert found.recordings[0].candidates[0].chunk_id == "mq#why it lags"


def test_a_text_that_would_be_lost_is_refused_with_its_line(tmp_path):
    """Without its text a query would be asked by its id, and the case would mean something else."""
    queries = "301\torganised crime\n302 poliomyelitis\n303\t\n301\tother\n\ufeff304\tjoined\n305\ta\u2028b\n"
    with pytest.raises(InputError) as caught:
        read_trec(write_folder(tmp_path, queries=queries), CorpusLookup())
    remedy = "Write the id, a tab and the text."
    assert [str(problem).replace(f"{tmp_path}/", "") for problem in caught.value.problems] == [
        f"queries.tsv:2: the line '302 poliomyelitis' is no id and text, parted by a tab. {remedy}",
        f"queries.tsv:3: the line '303\\t' is no id and text, parted by a tab. {remedy}",
        "queries.tsv:4: query '301' has a text already. Remove one of the lines.",
        f"queries.tsv:5: the line '\\ufeff304\\tjoined' is no id and text, parted by a tab. {remedy}",
    ]
