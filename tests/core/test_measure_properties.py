"""What must hold of every measure on every ranking, and what each gives where something is missing."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.hits import Hits, find_hits
from stages.core.measure_formulas import FORMULAS
from stages.core.scoring import score_queries
from stages.core.trec_measures import TrecMeasure, parse_trec_measures
from stages.core.trec_scores import score_column, summarise

KEYS = [f"d{number}" for number in range(10)]
RATIOS = [name for name in FORMULAS if name != "first_hit_rank"]
CUT = [name for name in FORMULAS if name != "r_precision"]
ranked = st.lists(st.sampled_from(KEYS), max_size=12)
graded = st.dictionaries(st.sampled_from(KEYS), st.integers(-1, 3))


def score(judged, ranking, *names):
    return score_queries({"q": judged}, {"q": ranking}, names)["q"]


@given(graded, ranked, st.integers(1, 12))
def test_every_ratio_lies_between_0_and_1(judged, ranking, k):
    names = [f"{name}@{k}" if name in CUT else name for name in RATIOS] + RATIOS
    assert all(value is None or 0 <= value <= 1 + 1e-12 for value in score(judged, ranking, *names).values())


@given(graded, ranked, st.integers(1, 12))
def test_a_cut_off_never_raises_the_reciprocal_rank_nor_lowers_the_recall(judged, ranking, k):
    values = score(judged, ranking, f"rr@{k}", "rr", f"recall@{k}", f"recall@{k + 1}", f"hit@{k}", f"recall@{k}")
    if values["rr"] is not None:
        assert values[f"rr@{k}"] <= values["rr"]
        assert values[f"recall@{k}"] <= values[f"recall@{k + 1}"]
        assert (values[f"hit@{k}"] == 1) == (values[f"recall@{k}"] > 0)


@given(ranked, st.sampled_from(KEYS))
def test_with_one_expectation_average_precision_is_the_reciprocal_rank(ranking, key):
    values = score({key: 1}, ranking, "ap", "rr", "ap@3", "rr@3")
    assert (values["ap"], values["ap@3"]) == (values["rr"], values["rr@3"])


@given(graded, ranked)
def test_on_grades_0_and_1_both_gains_are_the_same(judged, ranking):
    binary = {key: min(grade, 1) for key, grade in judged.items()}
    values = score(binary, ranking, "ndcg@5", "ndcg_exp@5")
    assert values["ndcg@5"] == values["ndcg_exp@5"]


@given(graded, ranked, st.lists(st.sampled_from(["x", "y", "z"]), max_size=5))
def test_an_irrelevant_tail_changes_no_measure_at_k(judged, ranking, tail):
    k = max(1, len(ranking))
    names = [f"{name}@{k}" for name in CUT if name not in ("judged", "duplicate_rate")]
    if len(ranking) == k:
        assert score(judged, ranking, *names) == score(judged, ranking + tail, *names)


@given(graded, ranked, st.permutations(KEYS))
def test_the_order_of_judgments_and_other_names_change_nothing(judged, ranking, names):
    other = dict(zip(KEYS, names, strict=True))
    renamed = {other[key]: grade for key, grade in reversed(judged.items())}
    assert score(renamed, [other[key] for key in ranking], *FORMULAS) == score(judged, ranking, *FORMULAS)


@given(graded, ranked)
def test_scoring_twice_is_scoring_once(judged, ranking):
    assert score(judged, ranking, *FORMULAS) == score(judged, ranking, *FORMULAS)


@given(graded, ranked)
def test_a_later_copy_of_a_key_gains_nothing_and_keeps_its_rank(judged, ranking):
    blanked = [key if ranking.index(key) == at else f"copy {at}" for at, key in enumerate(ranking)]
    names = [name for name in FORMULAS if name not in ("judged", "duplicate_rate")]
    assert score(judged, ranking, *names) == score(judged, blanked, *names)


ABSENCE = {
    "no ranking": ({"a": 1}, None),
    "empty ranking": ({"a": 1}, []),
    "no expectation": ({}, ["a"]),
    "only judged irrelevant": ({"a": 0}, ["a"]),
    "partial": ({"a": 1, "b": 1}, ["x", "a"]),
    "nothing": ({}, []),
}
NONE = dict.fromkeys(FORMULAS)
# Every measure at k = 2, for one case; None is "does not exist", which no mean may take for 0.
MATRIX = {
    "no ranking": NONE,
    "empty ranking": {**dict.fromkeys(FORMULAS, 0.0), "first_hit_rank": None, "judged": None, "duplicate_rate": None},
    "no expectation": {**NONE, "judged": 0.0, "duplicate_rate": 0.0},
    "only judged irrelevant": {**NONE, "judged": 1.0, "duplicate_rate": 0.0},
    "partial": {
        "hit": 1.0,
        "recall": 0.5,
        "capped_recall": 0.5,
        "precision": 0.5,
        "r_precision": 0.5,
        "rr": 0.5,
        "first_hit_rank": 2,
        "ap": 0.25,
        "ndcg": (1 / math.log2(3)) / (1 + 1 / math.log2(3)),
        "ndcg_exp": (1 / math.log2(3)) / (1 + 1 / math.log2(3)),
        "judged": 0.5,
        "duplicate_rate": 0.0,
    },
    "nothing": NONE,
}


@pytest.mark.parametrize("situation", ABSENCE)
@pytest.mark.parametrize("name", FORMULAS)
def test_the_matrix_of_absence_for_one_case(situation, name):
    judged, ranking = ABSENCE[situation]
    asked = f"{name}@2" if name in CUT else name
    rankings = {} if ranking is None else {"q": ranking}
    expected = MATRIX[situation][name]
    got = score_queries({"q": judged}, rankings, [asked])["q"][asked]
    assert got == (None if expected is None else pytest.approx(expected))


def all_cases(name) -> tuple[TrecMeasure, list[Hits]]:
    (measure,) = parse_trec_measures([f"{name}@2" if name in CUT else name])
    return measure, [find_hits(judged, ranking) for judged, ranking in ABSENCE.values() if ranking is not None]


@pytest.mark.parametrize("name", FORMULAS)
def test_the_matrix_of_absence_for_all_cases_of_a_trec_run(name):
    """trec_eval has 0 where a query has no relevant document; what needs no label is left out of the mean."""
    measure, hits = all_cases(name)
    column = score_column(measure, hits)
    values = [MATRIX[situation][name] for situation, (_, ranking) in ABSENCE.items() if ranking is not None]
    if name not in ("first_hit_rank", "judged", "duplicate_rate"):
        values = [value or 0.0 for value in values]
    assert column == [None if value is None else pytest.approx(value) for value in values]
    known = [value for value in values if value is not None]
    assert summarise(measure, column, hits) == pytest.approx(sum(known) / len(known))


@pytest.mark.parametrize("name", FORMULAS)
def test_a_mean_of_nothing_is_nothing(name):
    measure, _ = all_cases(name)
    assert summarise(measure, [], []) is None


@pytest.mark.parametrize("name", FORMULAS)
def test_every_measure_is_defined_with_a_formula_for_the_glossary(name):
    lines = (FORMULAS[name].__doc__ or "").splitlines()
    assert lines[0].endswith(".")
    assert any(line.strip().startswith(("Formula: ", "Takes no k.")) for line in lines)
