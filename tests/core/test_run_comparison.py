"""Two runs side by side."""

from stages.core.run_comparison import chunkers, compare_aggregates, compare_recordings
from stages.records.aggregates import Aggregates
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate, Recording


def case(case_id, *labels):
    return Case(
        id=case_id,
        scenario="s",
        query="q",
        fault_type=None,
        lang=None,
        tags=(),
        answerable=True,
        expectations=labels,
        evidence=Evidence(keywords=("k",)),
    )


def recording(case_id, *found, **provenance):
    candidates = tuple(
        Candidate(rank=rank, doc_id=doc, section=section, chunk_id=chunk)
        for rank, (doc, section, chunk) in enumerate(found, 1)
    )
    return Recording(case_id=case_id, query="q", top_k=5, candidates=candidates, provenance=provenance)


LABEL = Expectation(doc_id="mq", section="原因", chunk_ids=("c7",))
HIT, OTHER = ("mq", "原因", "c7"), ("db", "原因", "c1")


def test_a_metric_that_one_side_has_not_is_shown_without_a_delta():
    before = Aggregates(hit_at_k={1: 0.5, 10: 1.0}, mrr=0.5)
    after = Aggregates(hit_at_k={1: 0.75}, mrr=None, precision_at_k_chunk={5: 0.2})
    assert [tuple(row.model_dump().values()) for row in compare_aggregates(before, after)] == [
        ("hit@1", 0.5, 0.75, 0.25),
        ("hit@10", 1.0, None, None),
        ("mrr", 0.5, None, None),
        ("precision_chunk@5", None, 0.2, None),
    ]


def test_win_loss_draw_and_regression():
    cases = [case(name, LABEL) for name in ("draw", "loss", "regression", "win")]
    before = {
        "draw": recording("draw", HIT),
        "loss": recording("loss", HIT),
        "regression": recording("regression", HIT),
        "win": recording("win", OTHER, HIT),
    }
    after = {
        "draw": recording("draw", HIT),
        "loss": recording("loss", OTHER, HIT),
        "regression": recording("regression", OTHER),
        "win": recording("win", HIT),
    }
    rows = compare_recordings(cases, before, after, by_chunk=True)
    assert [(row.case_id, row.kind, row.before, row.after, row.matched_by) for row in rows] == [
        ("draw", "draw", 1, 1, "chunk"),
        ("loss", "loss", 1, 2, "chunk"),
        ("regression", "regression", 1, None, "chunk"),
        ("win", "win", 2, 1, "chunk"),
    ]


def test_with_two_chunkers_the_same_section_is_a_hit_whatever_its_chunk_is_called():
    before, after = recording("a", HIT, chunker_version="1"), recording("a", ("mq", "原因", "x"), chunker_version="2")
    assert chunkers({"a": before}) != chunkers({"a": after})
    by_section = compare_recordings([case("a", LABEL)], {"a": before}, {"a": after}, by_chunk=False)[0]
    by_chunk = compare_recordings([case("a", LABEL)], {"a": before}, {"a": after}, by_chunk=True)[0]
    assert (by_section.kind, by_section.matched_by, by_chunk.kind) == ("draw", "section", "regression")


def test_an_error_is_no_miss_so_the_case_is_not_compared():
    failed = Recording(case_id="a", query="q", top_k=5, state="error", reason="timeout")
    assert compare_recordings([case("a", LABEL)], {"a": recording("a", HIT)}, {"a": failed}, by_chunk=True) == []
