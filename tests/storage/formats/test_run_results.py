"""The knowledge base's stored runs: aggregates of any age, and rankings as recordings."""

import json

import pytest

from stages.records.aggregates import Aggregates
from stages.records.problem import InputError
from stages.storage.formats.aggregates import read_aggregates
from stages.storage.formats.run_results import read_run_results

STORED = {
    "hit_at_k": {"1": 0.5, "10": 1.0},
    "mrr": 0.75,
    "recall_at_k_doc": {"1": 0.25},
    "precision_at_k_chunk": {"1": 0.5, "5": None},
    "citation_coverage": None,
    "groundedness": 0.0,
    "empty_result_rate": 0.0,
    "refusal_correctness": None,
    "total_queries": 4,
    "failed_queries": 0,
}
HIT = {
    "rank": 1,
    "chunk_id": "c1",
    "doc_id": "d1",
    "doc_path": "notes/d1.md",
    "heading_path": ["MQ", "原因"],
    "snippet": "消费者变慢",
    "retrieval": {"fusion_score": 0.03},
    "chunker_version": "md@2",
}
ROW = {"query_id": "g001", "query": "队列", "mode": "hybrid", "hits_top_k": [HIT], "error": None}


def test_aggregates_are_maps_keyed_by_k(written):
    found = read_aggregates(written("aggregate.json", STORED))
    assert found.hit_at_k == {1: 0.5, 10: 1.0}
    assert found.precision_at_k_chunk == {1: 0.5, 5: None}
    assert (found.mrr, found.total_queries, found.citation_coverage) == (0.75, 4, None)


def test_an_older_file_without_chunk_precision_reads_as_empty(written):
    older = {name: value for name, value in STORED.items() if name != "precision_at_k_chunk"}
    assert read_aggregates(written("a.json", {"aggregate": older})).precision_at_k_chunk == {}
    assert read_aggregates(written("b.json", {})) == Aggregates()


def test_every_fault_of_an_aggregate_is_told(written, told):
    with pytest.raises(InputError) as caught:
        read_aggregates(written("a.json", {"hit_at_k": {"ten": 1}, "mrr": "0.5", "ndcg": 1, "total_queries": "4"}))
    assert told(caught.value.problems) == [
        ("a.json: hit_at_k.ten is 'ten', which is no whole number. Check that the file holds one run's aggregates."),
        "a.json: mrr is '0.5', which is no number. Check that the file holds one run's aggregates.",
        "a.json: ndcg is no known field. Check that the file holds one run's aggregates.",
        "a.json: total_queries is '4', which is no whole number. Check that the file holds one run's aggregates.",
    ]


def test_rankings_become_recordings_that_name_their_chunker(written):
    found = read_run_results(written("per_query.jsonl", json.dumps(ROW) + "\n"))
    recording = found.recordings[0]
    assert (found.rows_in, found.rows_used, recording.case_id, recording.top_k) == (1, 1, "g001", 1)
    assert recording.provenance == {"chunker_version": "md@2"}
    candidate = recording.candidates[0]
    assert (candidate.doc_id, candidate.section, candidate.chunk_id, candidate.score) == ("d1", "原因", "c1", 0.03)


def test_a_failed_query_is_an_error_and_no_miss_and_a_bad_row_is_refused(written, told):
    rows = [
        {**ROW, "hits_top_k": [], "error": "timeout"},
        {**ROW, "query_id": "g2", "hits_top_k": [{**HIT, "rank": 0}]},
    ]
    found = read_run_results(written("r.json", rows))
    assert (found.recordings[0].state, found.recordings[0].reason) == ("error", "timeout")
    assert told(found.refused) == [
        "r.json: case g2: row 2: candidates[1].rank is 0, which is less than 1. Correct the row."
    ]


def test_a_hit_that_nothing_names_is_refused_and_is_no_silent_miss(written, told):
    found = read_run_results(written("r.jsonl", json.dumps({**ROW, "hits_top_k": [HIT, {"rank": 2, "docId": "d"}]})))
    why = "hits_top_k[2] has neither doc_id, chunk_id nor doc_path, so it would match nothing"
    assert (found.rows_used, told(found.refused)) == (0, [f"r.jsonl:1: case g001: {why}. Correct the row."])


def test_a_short_ranking_has_the_depth_of_the_longest_and_is_an_answer(written):
    rows = [{**ROW, "hits_top_k": [HIT, {**HIT, "rank": 2}]}, {**ROW, "query_id": "g002"}]
    recordings = read_run_results(written("r.jsonl", "\n".join(map(json.dumps, rows)))).recordings
    assert [(kept.top_k, len(kept.candidates)) for kept in recordings] == [(2, 2), (2, 1)]
