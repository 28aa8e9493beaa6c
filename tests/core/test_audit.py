"""The audit on a set so small that every mutant can be counted by hand."""

import pytest

from stages.core.audit import AuditInput, audit
from stages.core.circularity import circularity
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.golden import Evidence, Expectation
from stages.records.params.audit import AuditParams
from stages.records.problem import InputError
from stages.records.ranking import Ranking, RankingFile
from stages.records.recording import Candidate, PathState

CHUNKS = tuple(
    Chunk(
        chunk_id=f"{doc}#{section}",
        doc_id=doc,
        title=doc,
        section=section,
        breadcrumb=(doc, section),
        content=f"{doc} {section} 的正文",
    )
    for doc in ("mq", "db", "net", "log")
    for section in ("原因", "步骤")
)
BY_ID = {chunk.chunk_id: chunk for chunk in CHUNKS}


def params(**gate):
    rules = {
        "max_strong_drops": 0,
        "max_regressions": 0,
        "max_losses": None,
        "max_removed": 0,
        "max_drop": {},
        "keep_last_strong": ["fault_type"],
        "group_floors": {},
        "unjudged_drops": "fail",
        "inconclusive_exit_code": 3,
    }
    return AuditParams.model_validate(
        {
            "topK": 3,
            "cutoffs": [1],
            "hit_levels": {"min_keyword_coverage": 0.6},
            "paths": {"fixture": {"dir": "x", "relevance_floor": None}},
            "thresholds": {},
            "gate": {**rules, **gate},
            "audit": {"keep": 1, "shift": 3, "min_cases": 2},
        }
    )


def case(case_id, document, fault_type="F", section="原因", answerable=True):
    labels = (Expectation(doc_id=document, section=section, relevance=2),) if answerable else ()
    return Case(
        id=case_id,
        scenario="s",
        query=case_id,
        fault_type=fault_type,
        lang="zh",
        tags=(),
        answerable=answerable,
        expectations=labels,
        evidence=Evidence(keywords=(f"{document}{section}的正文",) if answerable else ()),
    )


def ranking(case_id, *chunk_ids):
    candidates = tuple(
        Candidate(
            rank=rank,
            doc_id=BY_ID[chunk_id].doc_id,
            title=BY_ID[chunk_id].title,
            section=BY_ID[chunk_id].section,
            breadcrumb=BY_ID[chunk_id].breadcrumb,
            chunk_id=chunk_id,
            content=BY_ID[chunk_id].content,
        )
        for rank, chunk_id in enumerate(chunk_ids, 1)
    )
    return Ranking(case_id=case_id, state="ok", depth=10, complete=True, candidates=candidates)


def ranked(path, *rankings, status="ready"):
    return RankingFile(path=path, top_k=3, state=PathState(path=path, status=status), rankings=rankings)


CASES = (case("found", "mq"), case("lost", "db", fault_type="G"), case("none", "x", answerable=False))
BASELINE = ranked(
    "fixture",
    ranking("found", "mq#原因", "net#原因", "net#步骤"),
    ranking("lost", "net#原因", "net#步骤", "mq#步骤"),
    ranking("none", "net#原因"),
)
ALONE = ranked("bm25", ranking("found", "net#步骤"), ranking("lost", "net#步骤"), ranking("none"))
OTHER = ranked("milvus", ranking("found", "mq#原因"), ranking("lost", "db#原因"), ranking("none"))


def report(given=BASELINE, retrievers=None, **gate):
    files = {"bm25": ALONE, "milvus": OTHER} if retrievers is None else retrievers
    return audit(AuditInput(CASES, CHUNKS, given, files, ("bm25", "milvus")), params(**gate))


def test_a_strong_case_kills_what_takes_its_answer_and_a_missed_case_kills_nothing():
    found = report()
    survived = sorted(item.damage for item in found.survivors if item.fault_type == "F")
    assert found.by_fault_type["F"].model_dump() == {"mutants": 9, "killed": 5, "killed_share": 5 / 9}
    assert [item.detail for item in found.survivors if item.damage == "remove_arm"] == ["bm25", "bm25", "milvus"]
    assert survived == ["flood_duplicates", "remove_arm", "shift_ranks", "truncate"]
    assert found.by_fault_type["G"].killed == 0
    assert found.blind_fault_types == ("G",)
    assert found.cases_that_kill_none == ("lost",)


def test_the_counts_add_up():
    found = report()
    assert found.mutants == sum(count.mutants for count in found.by_damage.values())
    assert found.killed == sum(count.killed for count in found.by_fault_type.values())
    assert found.mutants - found.killed == len(found.survivors)
    assert found.killed_share == pytest.approx(found.killed / found.mutants)


def test_a_damage_that_changes_no_ranking_is_no_mutant():
    """Nothing of the missed document was found, so nothing of it can be swapped, stripped or replaced."""
    tried = {item.damage for item in report().survivors if item.fault_type == "G"}
    assert tried == {"drop_first", "truncate", "flood_duplicates", "shift_ranks", "remove_arm"}


def test_a_rule_of_the_gate_decides_what_is_noticed():
    assert report(max_strong_drops=None, max_regressions=None, keep_last_strong=[]).killed_share == 0
    assert report(max_losses=0).killed >= report().killed


def test_an_arm_that_was_down_is_not_removed():
    files = {"bm25": ALONE, "milvus": ranked("milvus", *OTHER.rankings, status="unavailable")}
    found = report(retrievers=files)
    assert "remove_arm" not in found.by_damage
    assert [item.retriever for item in found.circularity] == ["bm25"]


def test_what_fails_without_any_damage_is_not_counted_as_noticing():
    found = audit(
        AuditInput(CASES, CHUNKS, BASELINE, {}, ()),
        params().model_copy(update={"thresholds": {"recall_at_k": 1.0}}),
    )
    assert "recall_at_k" not in found.by_rule
    assert found.killed < found.mutants


def test_labels_equal_to_the_first_results_of_a_retriever_are_counted():
    found = circularity("milvus", CASES, {ranking.case_id: ranking for ranking in OTHER.rankings})
    assert (found.cases, found.equal, found.case_ids) == (2, 2, ("found", "lost"))
    assert circularity("bm25", CASES, {item.case_id: item for item in ALONE.rankings}).equal == 0


def test_coverage_saturation_and_advice():
    found = report()
    assert found.coverage.by_fault_type == {"F": 2, "G": 1}
    assert found.coverage.documents_never_expected == ("log", "net")
    assert (found.coverage.documents, found.coverage.sections, found.coverage.sections_expected) == (4, 8, 2)
    assert (found.saturation.cases, found.saturation.saturated) == (2, 1)
    assert [(item.where, item.add) for item in found.advice] == [
        ("G", 2),
        ("G · db", 2),
        ("F", 1),
        ("G", 1),
        ("log", 1),
        ("net", 1),
    ]


def test_nothing_scored_gives_no_mutants_and_no_share():
    down = ranked("fixture", *(Ranking(case_id=item.id, state="unavailable") for item in CASES), status="unavailable")
    found = report(given=down)
    assert (found.mutants, found.killed, found.killed_share, found.blind_fault_types) == (0, 0, None, ())


def test_a_floor_that_is_no_metric_is_told_and_not_counted_as_noticing():
    with pytest.raises(InputError) as caught:
        report(group_floors={"lang": {"recal": 0.5}})
    assert str(caught.value) == (
        "params.yaml: gate.group_floors.lang.recal is no metric of the report. "
        "Name a metric of docs/retrieval-eval/metrics.json, and what it can reach."
    )
