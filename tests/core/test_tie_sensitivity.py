"""What depends on the order of equal scores."""

from functools import partial
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from stages.core.hits import find_hits
from stages.core.measure_names import parse_measure
from stages.core.tie_sensitivity import extreme_orders, tie_ranges

MEASURES = ["hit@2", "recall@2", "precision@3", "rr", "ap", "ndcg@3", "ndcg_exp", "r_precision", "first_hit_rank"]


def values():
    return {
        name: partial(lambda hits, f, k: f(hits, k), f=f, k=k)
        for name, (f, k) in zip(MEASURES, map(parse_measure, MEASURES), strict=True)
    }


def every_order(keys, scores):
    """All rankings in which only equal scores that stand side by side have changed places."""
    places = range(len(keys))
    for order in permutations(places):
        if [scores[at] for at in order] == list(scores):
            yield [keys[at] for at in order]


@given(
    st.lists(st.sampled_from("abcdef"), unique=True, max_size=6),
    st.lists(st.sampled_from([3.0, 2.0, 1.0]), min_size=6, max_size=6),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), max_size=6),
)
def test_the_range_is_that_of_all_orders_of_equal_scores(keys, scores, judged):
    scores = sorted(scores, reverse=True)[: len(keys)]
    found = tie_ranges(judged, keys, scores, values())
    for name, value in values().items():
        seen = {value(find_hits(judged, order)) for order in every_order(keys, scores)}
        if len(seen) == 1:
            assert name not in found
        else:
            known = sorted(seen, key=lambda number: (number is None, number))
            assert found[name] == (known[0], known[-1])


def test_without_equal_scores_nothing_depends_on_their_order():
    assert extreme_orders(["a", "b"], [2.0, 1.0], {"a": 1}) is None
    assert tie_ranges({"a": 1}, ["a", "b"], [2.0, 1.0], values()) == {}


def test_equal_scores_that_do_not_stand_side_by_side_keep_their_places():
    """Rank is authoritative: a recording may hold scores out of order."""
    assert extreme_orders(["a", "b", "c"], [1.0, 2.0, 1.0], {"c": 1}) is None


def test_a_key_that_repeats_within_a_tie_counts_once():
    worst, best = extreme_orders(["x", "a", "a", "b"], [1.0] * 4, {"a": 1, "b": 1})
    assert best == [1, 3, 0, 2]
    assert worst == [0, 1, 2, 3]
