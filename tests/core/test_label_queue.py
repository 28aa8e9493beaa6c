"""Which unjudged candidates are asked for, and in which order."""

from stages.core.label_queue import label_queue
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.ranking import Ranking
from stages.records.recording import Candidate
from stages.records.yardstick import Yardstick

YARDSTICK = Yardstick(top_k=3, cutoffs=(), primary_grain="section", min_keyword_coverage=0.6, relevance_floor=None)


def case(case_id, *labels, **fields):
    values = {
        "id": case_id,
        "scenario": "s",
        "query": "q",
        "fault_type": None,
        "lang": None,
        "tags": (),
        "answerable": True,
        "expectations": labels or (Expectation(doc_id="mq", section="原因"),),
        "evidence": Evidence(keywords=("变慢",)),
    }
    return Case(**{**values, **fields})


def ranking(case_id, *places, state="ok"):
    candidates = tuple(
        Candidate(rank=rank, doc_id=doc, section=section, content="变慢")
        for rank, (doc, section) in enumerate(places, 1)
    )
    return Ranking(case_id=case_id, state=state, depth=10, complete=True, candidates=candidates)


def queue(cases, **paths):
    by_case = {name: {one.case_id: one for one in rankings} for name, rankings in paths.items()}
    return label_queue(cases, by_case, YARDSTICK)


def test_a_missed_case_comes_before_a_found_one_and_an_early_rank_before_a_late_one():
    found = ranking("found", ("mq", "原因"), ("db", "步骤"))
    lost = ranking("lost", ("db", "步骤"), ("net", "步骤"), ("log", "步骤"), ("far", "步骤"))
    items = queue([case("found"), case("lost")], fixture=[found, lost])
    assert [(item.case_id, item.doc_id) for item in items] == [
        ("lost", "db"),
        ("lost", "net"),
        ("lost", "log"),
        ("found", "db"),
    ]
    assert (items[0].level, items[0].level_if_relevant, items[0].paths) == ("miss", "strong", {"fixture": 1})
    assert items[0].swing > items[1].swing > items[-1].swing


def test_what_is_judged_also_as_wrong_is_not_asked_again_and_neither_is_an_unanswerable_case():
    judged = case("judged", Expectation(doc_id="mq", section="原因"), Expectation(doc_id="db", relevance=0))
    none = case("none", expectations=(), answerable=False)
    rankings = [ranking("judged", ("mq", "原因"), ("db", "步骤")), ranking("none", ("db", "步骤"))]
    assert queue([judged, none], fixture=rankings) == []


def test_one_candidate_on_several_paths_is_asked_once_and_a_failed_path_adds_none():
    items = queue(
        [case("a")],
        fixture=[ranking("a", ("mq", "原因"), ("db", "步骤"))],
        bm25=[ranking("a", ("db", "步骤"))],
        milvus=[ranking("a", ("net", "步骤"), state="error")],
    )
    assert [(item.doc_id, item.paths) for item in items] == [("db", {"bm25": 1, "fixture": 2})]


def test_an_introduction_is_not_asked_for_where_the_document_has_sections():
    items = queue([case("a")], fixture=[ranking("a", ("db", None), ("db", "步骤"), ("faq", None))])
    assert [(item.doc_id, item.section) for item in items] == [("db", "步骤"), ("faq", None)]
