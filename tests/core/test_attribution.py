"""The parts of a change: against brute force on random edits, and adding up to the last digit."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.attribution import STRONG, apportion, attribute
from stages.core.exchange_steps import differing, score_side
from stages.core.measure_plan import AT_TOP_K
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.core.side_comparison import compare_sides
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.recording import Candidate, PathState, Recording
from stages.records.side import Side
from stages.records.yardstick import Yardstick

READY = PathState(path="fixture", status="ready")
TARGETS = [(document, section) for document in "abc" for section in "xy"]
PARTS = ("retriever", "labels", "yardstick")


def case(id_: str, grades: dict[tuple[str, str], int], keyword: str, query: str) -> Case:
    expectations = tuple(Expectation(doc_id=d, section=s, relevance=g) for (d, s), g in grades.items())
    return Case(id=id_, scenario="s", query=query, fault_type=None, lang=None, tags=(), answerable=True,
                expectations=expectations, evidence=Evidence(keywords=(keyword,)))  # fmt: skip


def recording(id_: str, found: list[tuple[str, str]], query: str) -> Recording:
    candidates = tuple(
        Candidate(rank=rank, doc_id=d, section=s, chunk_id=f"{d}{s}", content=f"word {d}")
        for rank, (d, s) in enumerate(found, 1)
    )
    return Recording(case_id=id_, query=query, top_k=6, candidates=candidates)


labels = st.dictionaries(st.sampled_from(TARGETS), st.integers(1, 3), min_size=1, max_size=3)
rankings = st.permutations(TARGETS).flatmap(lambda order: st.integers(0, 6).map(lambda count: order[:count]))
rows = st.tuples(labels, rankings, st.sampled_from(["word a", "word b", "nowhere"]), st.sampled_from(["q", "other"]))
yardsticks = st.builds(
    Yardstick,
    top_k=st.integers(1, 6),
    cutoffs=st.just((1,)),
    primary_grain=st.sampled_from(["document", "section"]),
    min_keyword_coverage=st.sampled_from([0.5, 1.0]),
    relevance_floor=st.none(),
)


def side(table: dict[str, tuple], yardstick: Yardstick) -> Side:
    cases = {id_: case(id_, row[0], row[2], row[3]) for id_, row in table.items()}
    recordings = {id_: recording(id_, row[1], row[3]) for id_, row in table.items()}
    return Side("side", cases, {}, recordings, READY, yardstick)


sides = st.tuples(st.dictionaries(st.sampled_from("pqrst"), rows, min_size=1), yardsticks).map(lambda made: side(*made))


@st.composite
def edited(draw) -> tuple[Side, Side]:
    """A side, and the same with some cases, recordings and parameters edited: most edits touch few things."""
    old = draw(sides)
    other = draw(sides)
    cases, recordings = dict(old.cases), dict(old.recordings)
    for id_ in other.cases:
        if draw(st.booleans()):
            cases[id_] = other.cases[id_]
            recordings[id_] = recordings.get(id_, other.recordings[id_]).model_copy(update={"query": cases[id_].query})
        if draw(st.booleans()) and id_ in cases:
            recordings[id_] = other.recordings[id_].model_copy(update={"query": cases[id_].query})
    yardstick = other.yardstick if draw(st.booleans()) else old.yardstick
    return old, replace(old, cases=cases, recordings=recordings, yardstick=yardstick)


def mixture(retriever: Side, labelled: Side, measured: Side, ids: list[str]) -> dict[str, float | None]:
    """Score the mixture whole and from nothing, through the function behind the score stage."""
    cases = [labelled.cases[i].model_copy(update={"query": retriever.cases[i].query}) for i in ids]
    recordings = {i: retriever.recordings[i] for i in ids}
    yardstick = measured.yardstick
    ranked = replay_path(cases, recordings, READY, yardstick.top_k, yardstick.cutoffs)
    overall = score_path(cases, ranked, yardstick).overall
    strong = overall.strong / overall.scored if overall.scored else None
    return {STRONG: strong, **{name: overall.metrics[name].value for name in AT_TOP_K}}


@given(edited())
@settings(max_examples=150, deadline=None)
def test_each_part_is_what_brute_force_says_and_the_parts_add_up_exactly(pair):
    old, new = pair
    comparison = compare_sides(old, new)
    ids = sorted(comparison.compared)
    v = [mixture(*mix, ids) for mix in ((old, old, old), (new, old, old), (new, new, old), (new, new, new))]
    for metric in (STRONG, *AT_TOP_K):
        found = attribute(comparison.steps, metric, comparison.compared)
        values = [step[metric] for step in v]
        if None in values:
            assert found.total is None
            continue
        assert found.total == pytest.approx(values[3] - values[0], abs=2.1e-6)
        for index, part in enumerate(PARTS):
            assert getattr(found, part) == pytest.approx(values[index + 1] - values[index], abs=3.1e-6), part
        micro = [round(getattr(found, part) * 1_000_000) for part in PARTS]
        assert sum(micro) == round(found.total * 1_000_000)
        assert round(found.old * 1_000_000) + sum(micro) == round(found.new * 1_000_000)


@given(edited())
@settings(max_examples=150, deadline=None)
def test_a_factor_that_does_not_differ_has_no_part(pair):
    old, new = pair
    comparison = compare_sides(old, new)
    differs = [any(column) for column in zip(*(differing(old, new, id_) for id_ in comparison.compared), strict=True)]
    for metric in AT_TOP_K:
        found = attribute(comparison.steps, metric, comparison.compared)
        for part, differ in zip(PARTS, differs, strict=False):
            assert differ or not getattr(found, part)


@given(
    st.dictionaries(st.sampled_from(PARTS), st.fractions(-5, 5, max_denominator=7), min_size=3).map(
        lambda parts: (parts, round(sum(parts.values())))
    )
)
def test_rounded_parts_add_up_and_none_is_off_by_more_than_one(made):
    parts, total = made
    if not any(parts.values()):
        total = 0
    whole = apportion(parts, total)
    assert sum(whole.values()) == total
    assert all(abs(whole[name] - part) <= 1 for name, part in parts.items())


def test_what_is_left_over_goes_to_no_part_of_zero():
    parts = {"retriever": Fraction(5, 2), "labels": Fraction(0), "yardstick": Fraction(0)}
    assert apportion(parts, 3) == {"retriever": 3, "labels": 0, "yardstick": 0}


def test_three_thirds_are_given_out_in_a_fixed_order():
    third = Fraction(1, 3)
    assert apportion(dict.fromkeys(PARTS, third), 1) == {"labels": 1, "retriever": 0, "yardstick": 0}


def test_what_the_old_evaluator_said_otherwise_belongs_to_the_yardstick():
    made = side({"p": ({("a", "x"): 2}, [("a", "x")], "word a", "q")}, YARDSTICK)
    comparison = compare_sides(made, made)
    scored = score_side(made)["p"]
    said = scored.model_copy(update={"metrics": {**scored.metrics, "mrr": 0.25}})
    found = attribute(comparison.steps, "mrr", {"p": said})
    assert (found.retriever, found.labels, found.yardstick, found.total) == (0, 0, 0.75, 0.75)


YARDSTICK = Yardstick(top_k=3, cutoffs=(1,), primary_grain="section", min_keyword_coverage=0.5, relevance_floor=None)
