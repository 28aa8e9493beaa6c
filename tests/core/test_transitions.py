"""Causes: each rule names what was recorded, and what makes no difference is not blamed."""

from dataclasses import replace

import pytest

from stages.core.side_comparison import compare_sides
from stages.core.transitions import transition
from stages.records.case import Case
from stages.records.recording import PathState, Recording
from stages.records.review import Transition
from stages.records.side import Side
from tests.review_sides import YARDSTICK, case, recording, side

WANTED = case({"a#x": 2})


def became(old: Side | Recording, new: Side | Recording, wanted: Case = WANTED) -> Transition:
    sides = [one if isinstance(one, Side) else side((wanted, one)) for one in (old, new)]
    return transition(compare_sides(*sides), "c")


def causes(found: Transition) -> dict[str, str]:
    return {cause.code: cause.message for cause in found.causes}


def test_an_equal_ranking_has_no_cause():
    found = became(recording("a#x", "b#y"), recording("a#x", "b#y"))
    assert (found.outcome, found.causes) == ("draw", ())


def test_a_label_of_which_only_the_document_is_recorded_never_moved_itself():
    """Its document did, and is called so: the section stood nowhere, before or after."""
    found = became(recording("a#other", "b#y", "c#z", "d#w"), recording("b#y", "c#z", "d#w", "a#other"))
    assert (found.old, found.new) == ("medium", "miss")
    assert causes(found)["fell"] == "document a fell from rank 1 to 4"
    assert causes(found)["displaced_by"] == "displaced by b#y (+1), c#z (+1), d#w (+1)"


def test_a_document_that_moved_with_an_expected_section_is_told_with_that_section_only():
    both = case({"a#x": 2, "a#absent": 1})
    found = became(recording("a#x", "b#y"), recording("b#y", "a#x"), both)
    assert [cause.message for cause in found.causes if cause.code == "fell"] == ["a#x fell from rank 1 to 2"]


def test_a_later_hit_that_left_has_causes_though_level_and_first_hit_are_the_same():
    two = case({"a#x": 2, "b#y": 1})
    found = became(recording("a#x", "b#y", "d#z"), recording("a#x", "d#z"), two)
    assert (found.old, found.new, found.outcome, found.old_rank, found.new_rank) == ("strong", "strong", "draw", 1, 1)
    assert (found.old_recall, found.new_recall) == (1.0, 0.5)
    assert causes(found) == {
        "lost": "b#y was at rank 2 and is not among the 2 recorded now",
        "displaced_by": "displaced by d#z (+1)",
    }


def test_a_later_hit_that_only_changed_its_rank_has_no_cause():
    two = case({"a#x": 2, "b#y": 1})
    found = became(recording("a#x", "b#y", "d#z"), recording("a#x", "d#z", "b#y"), two)
    assert (found.outcome, found.old_recall, found.new_recall, found.causes) == ("draw", 1.0, 1.0, ())


def test_a_fall_names_ranks_and_what_moved_up_but_not_what_merely_stayed():
    found = became(recording("b#y", "a#x", "s#t", "d#z"), recording("b#y", "d#z", "n#w", "a#x", "s#t"))
    assert (found.old, found.new, found.outcome) == ("strong", "miss", "regression")
    assert causes(found) == {
        "fell": "a#x fell from rank 2 to 4",
        "displaced_by": "displaced by d#z (+2), n#w (new)",
        "evidence_lost": "'key' stood in a#x, which is at rank 4 now",
    }


def test_more_rivals_than_three_are_counted():
    found = became(recording("a#x"), recording("n#1", "n#2", "n#3", "n#4", "n#5", "a#x"))
    assert causes(found)["displaced_by"] == "displaced by n#1 (new), n#2 (new), n#3 (new)"
    wide = YARDSTICK.model_copy(update={"top_k": 9})
    sides = [side((WANTED, one), yardstick=wide) for one in (recording("a#x"), recording(*"pqrst", "a#x"))]
    assert causes(became(*sides))["displaced_by"] == "displaced by p (new), q (new), r (new) and 2 more"


def test_what_left_the_recording_is_lost_and_what_entered_is_found():
    lost = became(recording("a#x", "b#y"), recording("b#y", "d#z"))
    assert causes(lost)["lost"] == "a#x was at rank 1 and is not among the 2 recorded now"
    found = became(recording("b#y", "d#z"), recording("b#y", "a#x"))
    assert (found.outcome, found.old_rank, found.new_rank) == ("win", None, 2)
    assert causes(found) == {
        "found": "a#x is at rank 2 and was not among the 2 recorded before",
        "evidence_found": "'key' is now seen in a#x",
    }


def test_a_rise_is_a_win_also_within_the_same_level():
    found = became(recording("b#y", "a#x"), recording("a#x", "b#y"))
    assert (found.old, found.new, found.outcome) == ("strong", "strong", "win")
    assert causes(found) == {"rose": "a#x rose from rank 2 to 1"}


def test_a_section_that_nobody_knew_is_taken_for_a_new_name():
    found = became(recording("a#x", "b#y"), recording("a#new x", "b#y"))
    assert found.new == "medium"
    assert causes(found)["section_replaced"] == "a#new x at rank 1 is new: was the section renamed?"


def test_a_section_that_was_recorded_before_is_no_new_name():
    assert "section_replaced" not in causes(became(recording("a#x", "a#other"), recording("a#other", "b#y")))


def test_equal_scores_make_a_swap_arbitrary_and_other_scores_do_not():
    tied = [
        recording(*names, scores=[0.9, 0.9, 0.9, 0.9]) for names in (("b", "c", "a#x", "d"), ("b", "c", "d", "a#x"))
    ]
    assert causes(became(*tied))["tie"] == "a#x and d have the same score 0.9: their order is arbitrary"
    apart = [recording(*names) for names in (("b", "c", "a#x", "d"), ("b", "c", "d", "a#x"))]
    assert "tie" not in causes(became(*apart))


def test_evidence_that_is_gone_from_the_text_is_told_apart_from_evidence_that_moved():
    found = became(recording("a#x", "b#y"), recording("a#x", "b#y", texts={"a#x": "rewritten"}))
    assert (found.old, found.new) == ("strong", "medium")
    assert causes(found) == {"evidence_gone": "'key' is no longer in the text of a#x"}


def test_arms_say_who_lost_and_who_kept_it():
    def fused(ranking: Recording, ranks: dict[str, int]) -> Recording:
        origins = [{"chunk_id": "a#x", "arms": ranks, "fused_rank": 1, "fused": 0.1, "rules": {}}]
        return ranking.model_copy(update={"provenance": {"arms": {"bm25": 9, "milvus": 9}, "origins": origins}})

    before, after = recording("a#x", "b", "c", "d"), recording("b", "c", "d", "a#x")
    found = became(fused(before, {"bm25": 1, "milvus": 2}), fused(after, {"bm25": 1}))
    assert causes(found)["arms"] == "the bm25 arm kept it (rank 1); the milvus arm lost it (was rank 2)"
    found = became(fused(before, {"bm25": 1}), fused(after, {"bm25": 4, "milvus": 7}))
    assert causes(found)["arms"] == "bm25 moved it from rank 1 to 4; the milvus arm found it (rank 7)"
    assert "arms" not in causes(became(before, after))


@pytest.mark.parametrize(
    "provenance",
    [
        {"arms": 3, "origins": 5},
        {"arms": {"bm25": "many"}, "origins": ["x", {"chunk_id": "a#x"}, {"arms": {"bm25": "first"}}]},
        {"arms": ["bm25"], "origins": {"a#x": 1}},
    ],
)
def test_provenance_of_another_shape_is_passed_over(provenance):
    before, after = (recording(*names, provenance=provenance) for names in (("a#x", "b"), ("b", "a#x")))
    assert set(causes(became(before, after))) == {"fell", "displaced_by"}


def test_an_edited_label_is_blamed_with_what_was_edited():
    ranked = recording("a#x", "b#y")
    found = became(side((WANTED, ranked)), side((case({"a#z": 2}, ("other",)), ranked)))
    assert causes(found) == {
        "label_changed": "labels: a#x removed (was relevance 2); a#z added (relevance 2); "
        "keyword 'key' removed; keyword 'other' added"
    }


def test_an_edit_that_changes_nothing_for_its_case_is_not_blamed():
    new = side((case({"a#x": 3}), recording("b#y", "d#z", "e#w")))
    assert set(causes(became(side((WANTED, recording("a#x", "b#y"))), new))) == {
        "lost",
        "displaced_by",
        "evidence_lost",
    }


def test_a_parameter_is_named_with_both_values():
    ranked = recording("b", "c", "d", "a#x")
    old, new = (side((WANTED, ranked), yardstick=YARDSTICK.model_copy(update={"top_k": k})) for k in (3, 5))
    found = became(old, new)
    assert (found.old, found.new, found.new_rank) == ("miss", "strong", 4)
    assert causes(found) == {"top_k_changed": "topK was 3 and is 5"}


def test_a_recording_too_shallow_for_the_new_top_k_is_a_state_and_no_miss():
    shallow = recording("b", "c", "a#x", top_k=3)
    old, new = (side((WANTED, shallow), yardstick=YARDSTICK.model_copy(update={"top_k": k})) for k in (3, 5))
    found = became(old, new)
    assert (found.old, found.new, found.outcome) == ("strong", "not_run", None)
    assert causes(found) == {"too_shallow": "it is not run: recorded to depth 3, topK is 5"}


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"query": "older"}, "stale_recording", "it is not run: stale recording: it was made for the query 'older'"),
        (
            {"state": "error", "code": "timeout", "reason": "no answer in 5 s"},
            "timeout",
            "it is error: no answer in 5 s",
        ),
    ],
)
def test_a_case_that_was_not_scored_says_why(fields, code, words):
    new = recording("a#x").model_copy(update=fields)
    found = became(recording("a#x"), new)
    assert found.outcome is None
    assert causes(found) == {code: words}


def test_an_outage_is_told_with_its_reason_and_its_end_too():
    down = PathState(path="fixture", status="unavailable", code="connection_refused", reason="connection refused")
    up, out = side((WANTED, recording("a#x"))), side((WANTED, recording("a#x")), state=down)
    assert causes(became(up, out)) == {"connection_refused": "it is unavailable: connection refused"}
    assert causes(became(out, up)) == {"connection_refused": "it was unavailable: connection refused"}


def test_questions_without_an_answer_win_and_lose_by_false_positives():
    nothing = case({}, (), answerable=False)
    floor = YARDSTICK.model_copy(update={"relevance_floor": 0.5})
    quiet, loud = (recording("a", scores=[score]) for score in (0.1, 0.9))
    old, new = (side((nothing, one), yardstick=floor) for one in (quiet, loud))
    found = became(old, new)
    assert (found.old, found.new, found.outcome) == ("no_answer", "false_positive", "loss")
    assert causes(found) == {"recording_changed": "the recording changed"}


def test_a_query_with_a_new_recording_compares_each_answer_to_its_own_question():
    other = case({"a#x": 2}, query="reworded")
    new = side((other, recording("b", "a#x").model_copy(update={"query": "reworded"})))
    found = became(side((WANTED, recording("a#x", "b"))), new)
    assert (found.outcome, found.old_rank, found.new_rank) == ("loss", 1, 2)
    assert causes(found)["fell"] == "a#x fell from rank 1 to 2"


def test_sides_that_differ_in_everything_name_every_factor():
    old = side((case({"a#x": 2}), recording("a#x", "b", "c")))
    new = replace(
        side((case({"b#z": 2}), recording("c", "d", "a#x", "b#z"))),
        yardstick=YARDSTICK.model_copy(update={"top_k": 2}),
    )
    found = causes(became(old, new))
    assert {"label_changed", "fell"} <= set(found)
