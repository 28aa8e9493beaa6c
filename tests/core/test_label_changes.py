"""Edits of a golden case in words."""

import pytest

from stages.core.label_changes import label_changes
from stages.records.golden import Evidence
from tests.review_sides import case

BASE = case({"a#x": 2, "b": 1})


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (BASE, []),
        (case({"a#x": 2, "b": 1}, query="other"), ["the query"]),
        (case({"a#x": 1, "b": 1}), ["a#x relevance 2 → 1"]),
        (case({"a#x": 2}), ["b removed (was relevance 1)"]),
        (case({"a#x": 2, "b": 1, "c#y": 0}), ["c#y added (relevance 0)"]),
        (case({"a#x": 2, "b": 1}, ("key", "more")), ["keyword 'more' added"]),
        (case({"a#x": 2, "b": 1}, ()), ["keyword 'key' removed"]),
        (case({"a#x": 2, "b": 1}, fault_type="DNS"), ["fault_type none → DNS"]),
        (case({"a#x": 2, "b": 1}, tags=("t", "u")), ["tags none → t, u"]),
        (case({"a#x": 2, "b": 1}, forbidden=("z",)), ["forbidden document 'z' added"]),
        (
            case({"a#x": 2, "b": 1}, evidence=Evidence(keywords=("key",), breadcrumbs=(("p", "q"),))),
            ["breadcrumb 'p > q' added"],
        ),
        (
            case({}, answerable=False),
            ["expects nothing now", "a#x removed (was relevance 2)", "b removed (was relevance 1)"],
        ),
        (case({"a#x": 2, "b": 1}, unwinnable="no document"), ["the corpus: no document"]),
    ],
)
def test_each_edit_is_one_phrase(new, words):
    assert label_changes(BASE, new) == words


def test_chunk_ids_are_told_without_a_list():
    labels = tuple(e.model_copy(update={"chunk_ids": ("c1",)}) for e in BASE.expectations)
    assert label_changes(BASE, BASE.model_copy(update={"expectations": labels})) == ["a#x chunk ids", "b chunk ids"]
