"""Tuning chooses on one half, judges on the other, and does not sell chance as a gain."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.tuning import Experiment, grid, tune, verdict
from stages.core.tuning_split import split_by_fault_type
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.params.hybrid import HybridParams
from stages.records.recording import Candidate

ROOT = Path(__file__).parents[2]


def case(name, fault_type=None):
    return Case(
        id=name,
        scenario="chat_lookup",
        query=name,
        fault_type=fault_type,
        lang=None,
        tags=(),
        answerable=True,
        expectations=(Expectation(doc_id=name, section="s"),),
        evidence=Evidence(keywords=("x",)),
    )


CASES = [case(f"c{number:02}", f"T{number % 3}") for number in range(30)]
CURRENT = HybridParams.model_validate({"method": "rrf", "rrf_k": 60, "depth": 5, "weights": {"bm25": 1, "milvus": 1}})


def ranked(name, rank):
    others = [Candidate(rank=place, doc_id="other", section=str(place)) for place in range(1, rank)]
    return [*others, Candidate(rank=rank, doc_id=name, section="s")]


def experiment(retrieve):
    tuned, held_out = split_by_fault_type(CASES, 0)
    return Experiment(tuned, held_out, retrieve, "rr@10", "section")


def test_each_fault_type_is_halved():
    tuned, held_out = split_by_fault_type(CASES, 0)
    assert sorted([*tuned, *held_out], key=lambda one: one.id) == CASES
    for name in ("T0", "T1", "T2"):
        assert sum(one.fault_type == name for one in tuned) == sum(one.fault_type == name for one in held_out) == 5


@given(st.permutations(CASES), st.integers(0, 5))
def test_the_order_of_the_cases_does_not_change_the_halves(shuffled, seed):
    assert split_by_fault_type(shuffled, seed) == split_by_fault_type(CASES, seed)


def test_the_seed_changes_the_halves_and_a_new_process_does_not():
    assert split_by_fault_type(CASES, 0) != split_by_fault_type(CASES, 1)
    code = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests/core')!r}]\n"
        "import test_tuning as t; print([c.id for c in t.split_by_fault_type(t.CASES, 3)[0]])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert said == str([one.id for one in split_by_fault_type(CASES, 3)[0]])


def test_the_grid_holds_the_current_setting_first_and_every_pair():
    settings = grid(CURRENT, [60, 5, 5], [0.3, 0.7])
    assert settings[0] == CURRENT
    assert [(one.rrf_k, one.weights.bm25, one.weights.milvus) for one in settings[1:]] == [
        (5, 0.3, 0.7),
        (5, 0.7, 0.3),
        (60, 0.3, 0.7),
        (60, 0.7, 0.3),
    ]
    assert len(grid(CURRENT.model_copy(update={"method": "min_max"}), [60, 5], [0.3, 0.7])) == 3


def test_a_setting_that_helps_every_case_is_a_gain():
    report = tune(
        experiment(lambda one, params: ranked(one.id, 1 if params.rrf_k == 5 else 3)),
        grid(CURRENT, [5, 60], [0.5]),
        0,
        {},
    )
    assert (report.tuned.rrf_k, report.tuned.held_out_value, report.current.held_out_value) == (5, 1.0, 0.333333)
    assert (report.better, report.worse, report.same, report.verdict) == (15, 0, 0, "gain")
    assert [arm.weights for arm in report.arms] == [{"bm25": 1.0, "milvus": 0.0}, {"bm25": 0.0, "milvus": 1.0}]


def test_a_gain_on_the_tuned_half_alone_is_within_resolution():
    """The setting fits four cases of its own half and nothing of the other: the usual result of tuning."""
    tuned, _ = split_by_fault_type(CASES, 0)
    lucky = {one.id for one in tuned[:4]}
    report = tune(
        experiment(lambda one, params: ranked(one.id, 1 if params.rrf_k == 5 and one.id in lucky else 2)),
        grid(CURRENT, [5], [0.5]),
        0,
        {},
    )
    assert report.tuned.tuned_value > report.current.tuned_value
    assert report.tuned.held_out_value == report.current.held_out_value
    assert (report.verdict, report.same) == ("within_resolution", 15)
    assert report.resolution == "15 cases: a pure loss of fewer than 5 cases cannot be told from chance"


def test_few_large_wins_against_many_small_losses_are_no_gain():
    tuned, held_out = split_by_fault_type(CASES, 0)
    wins = {one.id for one in [*tuned[:6], *held_out[:6]]}

    def retrieve(one, params):
        return ranked(one.id, 1 if one.id in wins else 8) if params.rrf_k == 5 else ranked(one.id, 7)

    report = tune(experiment(retrieve), grid(CURRENT, [5], [0.5]), 0, {})
    assert report.tuned.held_out_value > report.current.held_out_value
    assert (report.better, report.worse, report.verdict) == (6, 9, "within_resolution")
    assert report.p_one_sided > 0.5


def test_equal_settings_leave_the_current_one():
    report = tune(experiment(lambda one, _: ranked(one.id, 2)), grid(CURRENT, [1, 2, 3], [0.1, 0.9]), 0, {})
    assert report.tuned.model_copy(update={"name": "current"}) == report.current
    assert report.settings_tried == 7


@pytest.mark.parametrize(
    ("gain", "chance", "word"),
    [(0.1, 0.01, "gain"), (-0.1, 0.01, "loss"), (0.1, 0.05, "within_resolution"), (0.0, 0.01, "within_resolution")],
)
def test_the_verdict_needs_a_split_that_chance_does_not_make(gain, chance, word):
    assert verdict(gain, chance) == word
