"""The committed report of BASE is the old evaluator's word where it is of BASE's input, and a note where it is not."""

import pytest

from stages.core.exchange_steps import score_side
from stages.core.side_comparison import compare_sides
from stages.records.side import Side, Word
from tests.review_sides import case, recording, side

MADE = side((case({"a#x": 2}), recording("a#x", "b")))


def spoken(edit=dict.copy, made: Side = MADE) -> Side:
    """The side with its own report as its word, edited."""
    cases = [one.model_dump() for one in score_side(made).values()]
    word = {"metric_semantics": 1, "path": "fixture", "yardstick": made.yardstick.model_dump(), "cases": cases}
    edit(word)
    return Side(made.name, made.cases, {}, made.recordings, made.state, made.yardstick, Word.model_validate(word))


def test_a_report_of_the_same_evaluator_changes_nothing():
    comparison = compare_sides(spoken(), spoken())
    assert (comparison.evaluator_differs, comparison.notes) == ([], ())


def test_what_the_old_evaluator_said_is_compared_as_it_said_it():
    def edit(word):
        word["cases"][0]["level"] = "medium"
        word["cases"][0]["metrics"]["mrr"] = 0.5

    comparison = compare_sides(spoken(edit), MADE)
    assert comparison.evaluator_differs == ["c"]
    assert (comparison.spoken["c"].level, comparison.spoken["c"].metrics["mrr"]) == ("medium", 0.5)


def test_fields_of_other_versions_are_passed_over_and_a_missing_metric_is_no_difference():
    def edit(word):
        word["new_field"] = 1
        word["cases"][0]["another"] = 2
        del word["cases"][0]["metrics"]["map_at_k"]

    assert compare_sides(spoken(edit), MADE).evaluator_differs == []


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda word: word.update(metric_semantics=2), "its report is of metric semantics 2, not 1"),
        (lambda word: word["yardstick"].update(top_k=9), "its report is not of its own golden cases"),
        (lambda word: word["cases"][0].update(query="other"), "its report is not of its own golden cases"),
        (lambda word: word["cases"][0].update(top=[]), "its report is not of its own golden cases"),
        (lambda word: word["cases"].clear(), "its report is not of its own golden cases"),
    ],
)
def test_a_report_of_something_else_is_not_believed_and_a_note_says_so(edit, words):
    comparison = compare_sides(spoken(edit), MADE)
    assert comparison.evaluator_differs == []
    (note,) = comparison.notes
    assert note.startswith(f"side: {words}")
    assert note.endswith("; the present evaluator scored it instead")


def test_a_stale_report_of_the_new_side_is_noted():
    def edit(word):
        word["cases"][0]["level"] = "medium"

    assert compare_sides(MADE, spoken(edit)).notes == (
        "side: the committed report is not what its evaluator says now: run `dvc repro`",
    )
