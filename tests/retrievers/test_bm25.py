"""BM25 scores by the published formula, in one order, and finds nothing where there is nothing."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.retrievers.bm25 import Bm25Index

ROOT = Path(__file__).parents[2]
DOCUMENTS = {
    "d": ["lag", "lag", "broker"],
    "c": ["lag", "broker", "disk"],
    "b": ["broker", "lag", "disk"],
    "a": ["cache"],
    "e": [],
}


def by_hand(documents, query, name, k1, b):
    mean = sum(map(len, documents.values())) / len(documents)
    score = 0.0
    for term in query:
        frequency = documents[name].count(term)
        holders = sum(term in terms for terms in documents.values())
        idf = math.log(1 + (len(documents) - holders + 0.5) / (holders + 0.5))
        score += idf * frequency / (frequency + k1 * (1 - b + b * len(documents[name]) / mean)) if frequency else 0.0
    return score


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.9, 0.4), (0.0, 0.0), (2.0, 1.0)])
def test_scores_follow_the_formula(k1, b):
    query = ["lag", "disk", "lag", "unknown"]
    found = Bm25Index(DOCUMENTS, k1, b).search(query, 10)
    assert dict(found) == {
        name: round(score, 6) for name in DOCUMENTS if (score := by_hand(DOCUMENTS, query, name, k1, b)) > 0
    }


def test_equal_scores_stand_in_the_order_of_their_ids():
    found = Bm25Index(DOCUMENTS, 1.2, 0.75).search(["disk"], 10)
    assert [name for name, _ in found] == ["b", "c"]
    assert found[0][1] == found[1][1]


def test_a_deeper_search_begins_with_the_shallower_one():
    index = Bm25Index({f"{number:03}": ["x"] * (number % 3 + 1) for number in range(200)}, 1.2, 0.75)
    whole = index.search(["x"], 10_000)
    assert len(whole) == 200
    assert all(index.search(["x"], depth) == whole[:depth] for depth in (1, 2, 3, 50, 199))


@pytest.mark.parametrize("query", [[], ["unknown"], ["unknown", "words"]])
def test_unknown_words_and_empty_queries_find_nothing(query):
    assert Bm25Index(DOCUMENTS, 1.2, 0.75).search(query, 10) == []


@pytest.mark.parametrize("documents", [{}, {"a": []}, {"a": [], "b": []}])
def test_an_index_without_terms_finds_nothing(documents):
    index = Bm25Index(documents, 1.2, 0.75)
    assert index.search(["x"], 10) == []
    assert index.document_weights() == {name: {} for name in documents}


terms = st.lists(st.sampled_from("pqrstu"), max_size=8)


@given(st.dictionaries(st.sampled_from("abcdefgh"), terms, min_size=1), terms)
def test_the_inner_product_of_the_weights_is_the_score(documents, query):
    index = Bm25Index(documents, 1.2, 0.75)
    weights = index.query_weights(query)
    products = {
        name: round(sum(weight * weights.get(number, 0.0) for number, weight in vector.items()), 6)
        for name, vector in index.document_weights().items()
    }
    found = dict(index.search(query, 100))
    assert {name: product for name, product in products.items() if product} == pytest.approx(found, abs=2e-6)


@given(st.dictionaries(st.sampled_from("abcdefgh"), terms, min_size=1), terms)
def test_the_order_of_the_documents_changes_nothing(documents, query):
    backwards = dict(reversed(documents.items()))
    assert Bm25Index(documents, 1.2, 0.75).search(query, 9) == Bm25Index(backwards, 1.2, 0.75).search(query, 9)


def test_the_hash_seed_changes_nothing():
    code = (
        "from stages.retrievers.bm25 import Bm25Index\n"
        "i = Bm25Index({str(n): [f't{n % 7}', f't{n % 5}', f't{n % 3}'] for n in range(60)}, 1.2, 0.75)\n"
        "print(i.search(['t1', 't2', 't4', 't1'], 60), i.document_weights(), i.query_weights(['t2', 't1']))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
