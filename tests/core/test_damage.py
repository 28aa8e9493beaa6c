"""Each kind of damage does what its name says, and nothing else."""

import pytest

from stages.core.damage import DOCUMENT_KINDS, PATH_KINDS, Scene, damaged
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.ranking import Ranking
from stages.records.recording import Candidate


def found(doc_id, section, content="积压 lag 高", rank=1):
    return Candidate(
        rank=rank,
        doc_id=doc_id,
        section=section,
        breadcrumb=("消息", doc_id, section),
        chunk_id=f"{doc_id}#{section}",
        content=content,
    )


KINDS = {**DOCUMENT_KINDS, **PATH_KINDS}
CASE = Case(
    id="a",
    scenario="s",
    query="q",
    fault_type="F",
    lang=None,
    tags=(),
    answerable=True,
    expectations=(Expectation(doc_id="mq", section="原因"), Expectation(doc_id="old", relevance=0)),
    evidence=Evidence(keywords=("LAG",)),
)
POOL = [found("db", "步骤"), found("mq", "步骤"), found("mq", "原因"), found("net", "原因"), found("old", "原因")]
SCENE = Scene(case=CASE, pool=POOL, top_k=3, keep=1, shift=2)
RANKING = Ranking(
    case_id="a",
    state="ok",
    depth=3,
    candidates=(found("mq", "原因"), found("db", "步骤", rank=2), found("mq", "步骤", rank=3)),
)
AFTER = {
    "drop_first": ["db#步骤", "mq#步骤"],
    "swap_section": ["mq#步骤", "db#步骤", "mq#步骤"],
    "truncate": ["mq#原因"],
    "flood_duplicates": ["mq#原因", "mq#原因", "mq#原因", "db#步骤", "mq#步骤"],
    "strip_keyword": ["mq#原因", "db#步骤", "mq#步骤"],
    "shift_ranks": ["net#原因", "db#步骤", "mq#原因", "db#步骤", "mq#步骤"],
    "replace_by_distractor": ["old#原因", "db#步骤", "old#原因"],
}


def test_every_kind_of_the_issue_is_there():
    assert sorted(KINDS) == sorted(AFTER)


@pytest.mark.parametrize("name", sorted(AFTER))
def test_the_order_after_the_damage(name):
    after = damaged(KINDS[name], SCENE, RANKING)
    assert [item.chunk_id for item in after.candidates] == AFTER[name]
    assert [item.rank for item in after.candidates] == list(range(1, len(AFTER[name]) + 1))
    assert (after.case_id, after.state, after.depth) == ("a", "ok", 3)


def test_stripping_takes_the_keyword_and_the_path_out_of_every_candidate():
    after = damaged(KINDS["strip_keyword"], SCENE, RANKING)
    assert {item.content for item in after.candidates} == {"积压  高"}
    assert {item.breadcrumb for item in after.candidates} == {("消息",)}


def test_without_another_section_the_text_is_of_no_section_that_anybody_named():
    scene = Scene(case=CASE, pool=[found("mq", "原因")], top_k=3, keep=1, shift=2)
    first = damaged(KINDS["swap_section"], scene, RANKING).candidates[0]
    assert (first.doc_id, first.section, first.content) == ("mq", None, "")


def test_without_a_judged_distractor_the_first_other_document_stands_in():
    case = CASE.model_copy(update={"expectations": CASE.expectations[:1]})
    scene = Scene(case=case, pool=POOL, top_k=3, keep=1, shift=2)
    after = damaged(KINDS["replace_by_distractor"], scene, RANKING)
    assert [item.doc_id for item in after.candidates] == ["db", "db", "db"]


@pytest.mark.parametrize("name", sorted(AFTER))
def test_an_empty_ranking_survives_every_damage(name):
    empty = RANKING.model_copy(update={"candidates": ()})
    after = damaged(KINDS[name], SCENE, empty)
    assert len(after.candidates) == (2 if name == "shift_ranks" else 0)
