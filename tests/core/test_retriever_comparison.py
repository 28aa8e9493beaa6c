"""Who leads and who ties; and that the hybrid is not flattered."""

from stages.core.retriever_comparison import compare_retrievers
from stages.records.recording import PathState
from tests.retriever_paths import golden, scored_path

CASES = [golden(name, "mq#原因") for name in "abcdef"]
FIRST, SECOND, NONE = ["mq#原因"], ["db#1", "mq#原因"], ["db#1"]


def paths(**found):
    return {name: scored_path(name, CASES, dict(zip("abcdef", lists, strict=False))) for name, lists in found.items()}


def best(comparison):
    return {row.metric: row.best for row in comparison.metrics}


def test_ties_name_everybody_who_leads():
    comparison = compare_retrievers(paths(bm25=[FIRST] * 6, milvus=[FIRST] * 6, hybrid=[SECOND] * 6))
    assert best(comparison) == {
        "hit_at_k": ("bm25", "milvus", "hybrid"),
        "recall_at_k": ("bm25", "milvus", "hybrid"),
        "mrr": ("bm25", "milvus"),
        "ndcg_at_k": ("bm25", "milvus"),
    }


def test_a_hybrid_that_equals_its_best_arm_is_no_better():
    comparison = compare_retrievers(paths(bm25=[FIRST] * 6, milvus=[NONE] * 6, hybrid=[FIRST] * 6))
    assert comparison.verdict == "no_better"
    assert comparison.sentence == (
        "The hybrid is no better than its best arm in any measure; case by case it wins 0, loses 0 and draws 6 "
        "against bm25, which chance explains as well (sign test, p = 1.000)"
    )
    assert [(duel.arm, len(duel.wins), duel.losses, duel.draws) for duel in comparison.duels] == [
        ("bm25", 0, (), 6),
        ("milvus", 6, (), 0),
    ]


def test_a_hybrid_that_wins_every_case_is_better_by_more_than_chance():
    comparison = compare_retrievers(paths(bm25=[NONE] * 6, milvus=[NONE] * 6, hybrid=[FIRST] * 6))
    assert comparison.verdict == "better"
    assert comparison.sentence.endswith(
        "wins 6, loses 0 and draws 0 against milvus, more than chance explains (sign test, p = 0.031)"
    )


def test_a_hybrid_that_finds_more_and_ranks_it_lower_is_mixed():
    arm = [FIRST] * 4 + [NONE] * 2
    comparison = compare_retrievers(paths(bm25=arm, milvus=[NONE] * 6, hybrid=[SECOND] * 6))
    assert comparison.verdict == "mixed"
    assert comparison.sentence.startswith("The hybrid is better than its best arm in hit rate, recall only;")


def test_only_cases_that_all_have_answered_are_compared():
    comparison = compare_retrievers(paths(bm25=[FIRST] * 6, milvus=[NONE] * 2, hybrid=[FIRST] * 4))
    assert comparison.cases == 2
    assert comparison.metrics[0].values == {"bm25": 1.0, "milvus": 0.0, "hybrid": 1.0}


def test_a_hybrid_of_one_arm_is_not_held_against_it():
    comparison = compare_retrievers(paths(bm25=[FIRST] * 6, hybrid=[FIRST] * 6))
    assert (comparison.verdict, comparison.duels) == ("incomparable", ())
    assert comparison.sentence == "Not all of the hybrid and its arms have a result, so it is not held against them"


def test_nothing_to_compare_is_said():
    lone = compare_retrievers(paths(bm25=[FIRST] * 6))
    none = compare_retrievers({})
    down = scored_path("milvus", CASES, {}, state=PathState(path="milvus", status="unavailable"))
    nothing_common = compare_retrievers({**paths(bm25=[FIRST] * 6), "milvus": down})
    assert {lone.sentence, none.sentence, nothing_common.sentence} == {
        "Fewer than two retrievers have a result, so nothing is compared"
    }
    assert lone.metrics == none.metrics == nothing_common.metrics == ()
