"""The two ways of counting, one query at a time and many at once, give the same bits."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.hit_arrays import UNJUDGED, hit_arrays, score_arrays
from stages.core.measure_formulas import FORMULAS
from stages.core.scoring import score_queries

MEASURES = [f"{name}@{k}" for name in FORMULAS if name != "r_precision" for k in (1, 2, 3, 5, 10)] + list(FORMULAS)
KEYS = [f"d{number}" for number in range(12)]
QUERIES = st.tuples(
    st.dictionaries(st.sampled_from(KEYS), st.integers(-1, 4)), st.lists(st.sampled_from(KEYS), unique=True)
)


def as_arrays(judgments, rankings):
    """Queries numbered in their order; each candidate with its grade."""
    rows = [
        (number, judgments[query].get(key, UNJUDGED))
        for number, query in enumerate(rankings)
        for key in rankings[query]
    ]
    judged = [(number, grade) for number, query in enumerate(rankings) for grade in judgments[query].values()]
    columns = [np.array([pair[at] for pair in pairs], dtype=np.int64) for pairs in (rows, judged) for at in (0, 1)]
    return hit_arrays(*columns, len(rankings))


@settings(max_examples=300)
@given(st.lists(QUERIES, min_size=1, max_size=6))
def test_one_by_one_and_all_at_once_agree_to_the_last_bit(queries):
    judgments = {f"q{number}": judged for number, (judged, _) in enumerate(queries)}
    rankings = {f"q{number}": ranking for number, (_, ranking) in enumerate(queries)}
    single = score_queries(judgments, rankings, MEASURES)
    arrays = score_arrays(as_arrays(judgments, rankings), MEASURES)
    for name in MEASURES:
        values = [None if math.isnan(value) else value for value in arrays[name].tolist()]
        assert [single[f"q{number}"][name] for number in range(len(queries))] == values, name


def test_deep_rankings_agree_as_well():
    """Beyond the tabulated discounts."""
    keys = [f"d{number}" for number in range(3000)]
    judged = {key: 1 + number % 3 for number, key in enumerate(keys) if number % 7 == 0}
    single = score_queries({"q": judged}, {"q": keys}, ["ndcg", "ndcg_exp", "ap"])["q"]
    arrays = score_arrays(as_arrays({"q": judged}, {"q": keys}), list(single))
    assert {name: values[0] for name, values in arrays.items()} == single
