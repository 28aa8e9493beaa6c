"""What would recover a miss: checked by doing it."""

import random

import pytest

from stages.core.arm_answer import ArmAnswer
from stages.core.counterfactual_depth import smallest_top_k
from stages.core.counterfactual_weights import STEPS, Miss, fusion_params, smallest_weight_change
from stages.core.counterfactuals import counterfactuals
from stages.core.hit_level import judge
from stages.core.hybrid import hybrid_recording
from stages.core.side_comparison import compare_scored, compare_sides
from stages.records.params.fuse import FuseParams
from stages.records.recording import PathState, Recording
from tests.review_sides import YARDSTICK, case, recording, side

WANTED = case({"a#x": 2})
PARAMS = FuseParams.model_validate(
    {
        "hybrid": {"method": "rrf", "rrf_k": 5.0, "depth": 30, "weights": {"bm25": 1.0, "milvus": 1.0}},
        "rerank": {"enabled": False, "window": 20, "heading": 0.2, "identifier": 0.2, "intent": 0.1},
    }
)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["b", "c", "d", "a#x"], (4, "strong")),
        (["b", "c", "d", "a#other", "a#x"], (4, "medium")),
        (["b", "c", "d", "e"], None),
        ([], None),
    ],
)
def test_the_smallest_top_k_is_the_first_expected_document(names, found):
    ranked = recording(*names)
    assert smallest_top_k(WANTED, ranked.candidates, 0.5) == found
    if found:
        assert judge(WANTED, ranked.candidates[: found[0] - 1], 0.5).level == "miss"


def fused(arms: dict[str, list[str]], weights: dict[str, float]) -> Recording:
    answers = {name: ArmAnswer(recording(*names).candidates) for name, names in arms.items()}
    hybrid = PARAMS.hybrid.model_copy(update={"weights": PARAMS.hybrid.weights.model_copy(update=weights)})
    return hybrid_recording("c", "q", answers, hybrid, PARAMS.rerank)


def recovered(arms: dict[str, list[str]], weights: dict[str, float]) -> bool:
    return judge(WANTED, fused(arms, weights).candidates[: YARDSTICK.top_k], 0.5).level != "miss"


def test_random_misses_are_recovered_by_the_smallest_cut_that_brute_force_finds():
    names = [f"d{n}" for n in range(9)] + ["a#x"]
    draw = random.Random(7)
    misses = recoverable = 0
    for _ in range(120):
        arms = {arm: draw.sample(names, draw.randint(4, 9)) for arm in ("bm25", "milvus")}
        if recovered(arms, {}):
            continue
        misses += 1
        steps = [(step, arm) for step in range(1, STEPS + 1) for arm in arms]
        brute = next((pair for pair in steps if recovered(arms, {pair[1]: round(1 - pair[0] / STEPS, 6)})), None)
        found = smallest_weight_change(Miss(WANTED, fused(arms, {}), PARAMS, YARDSTICK))
        expected = brute and (brute[1], round(1 - brute[0] / STEPS, 6))
        assert (found and found[:2]) == expected
        recoverable += brute is not None
    assert misses > 30
    assert recoverable > 10


def test_a_recording_without_arms_or_with_other_fusion_has_no_weight():
    assert smallest_weight_change(Miss(WANTED, recording("b", "c", "d", "a#x"), PARAMS, YARDSTICK)) is None
    other = PARAMS.model_dump()
    other["hybrid"]["method"] = "min_max"
    assert fusion_params({"params": other}) is None
    assert fusion_params({}) is None
    assert fusion_params({"params": PARAMS.model_dump()}) == PARAMS


def test_provenance_of_another_shape_gives_no_weight_and_no_fault():
    strange = {"arms": {"other": 3, "bm25": "x", "milvus": 1}, "origins": [{"chunk_id": None, "arms": {"other": 1}}, 7]}
    ranked = recording("b", "c", "d", "a#x", provenance=strange)
    assert smallest_weight_change(Miss(WANTED, ranked, PARAMS, YARDSTICK)) is None


def test_each_miss_of_the_new_side_has_one_and_two_reports_have_none():
    arms = {"bm25": ["b", "c", "d", "e"], "milvus": ["f", "g", "a#x", "b", "c", "d"]}
    state = PathState(path="fixture", status="ready", provenance={"params": PARAMS.model_dump()})
    made = fused(arms, {})
    old, new = side((WANTED, recording("a#x"))), side((WANTED, made), state=state)
    comparison = compare_sides(old, new)
    (found,) = counterfactuals(comparison)
    rank = next(c.rank for c in made.candidates if c.doc_id == "a")
    assert (found.case_id, found.top_k, found.level) == ("c", rank, "strong")
    assert found.weight is not None
    assert found.weight.arm == "bm25"
    assert found.message == (
        f"topK {rank} would make it strong; the weight of bm25 from 1 to {found.weight.weight:g} would make it strong"
    )
    reports = compare_scored(old, new, comparison.spoken, comparison.scored)
    assert list(counterfactuals(reports)) == []


def test_a_miss_without_anything_expected_says_how_deep_it_looked():
    (found,) = counterfactuals(compare_sides(side((WANTED, recording("a#x"))), side((WANTED, recording("b", "c")))))
    assert found.message == "nothing expected among 2 recorded"
