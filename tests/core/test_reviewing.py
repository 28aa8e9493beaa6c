"""The review as a whole: its notes, its counts, and what differs."""

from dataclasses import replace
from datetime import date

from stages.commands.review_output import LONGEST, review_markdown
from stages.core.review_view import input_phrases, miss_summary, outcome_sentence
from stages.core.reviewing import review
from stages.core.side_comparison import compare_sides
from stages.records.params.gate import GateParams
from stages.records.recording import PathState
from stages.records.review import Review
from stages.records.side import Side
from tests.review_sides import YARDSTICK, case, recording, side

PARAMS = GateParams.model_validate(
    {
        "thresholds": {},
        "gate": {
            "max_strong_drops": 0, "max_regressions": 0, "max_losses": None, "max_removed": 0, "max_drop": {},
            "keep_last_strong": [], "group_floors": {}, "unjudged_drops": "fail", "inconclusive_exit_code": 3,
        },
    }
)  # fmt: skip


def reviewed(old: Side, new: Side) -> Review:
    return review(compare_sides(old, new), PARAMS, (), date(2026, 1, 1))


def one(id_: str, *names: str, query: str = "q", expected: str = "a#x"):
    return case({expected: 2}, id_=id_, query=query), recording(*names, id_=id_, query=query)


def test_a_renamed_case_is_told_apart_from_a_new_one():
    found = reviewed(
        side(one("keep", "a#x"), one("old", "a#x", query="same")),
        side(one("keep", "a#x"), one("new", "a#x", query="same"), one("fresh", "a#x", query="other")),
    )
    assert found.notes == (
        "the case set changed (2 added, 1 removed): compared are the 1 common cases",
        "if these were renamed, rename their recordings too: new asks what old asked",
    )
    assert [(change.case_id, change.kind) for change in found.golden] == [
        ("fresh", "added"), ("new", "added"), ("old", "removed")]  # fmt: skip


def test_a_whole_set_that_was_renamed_is_one_note_and_a_comment_that_fits():
    numbers = range(500)
    found = reviewed(
        side(*(one(f"old-{n}", "a#x", query=f"q{n}") for n in numbers)),
        side(*(one(f"new-{n}", "a#x", query=f"q{n}") for n in numbers)),
    )
    assert [note.split(":")[0] for note in found.notes] == [
        "the case set changed (500 added, 500 removed)",
        "if these were renamed, rename their recordings too",
    ]
    assert len(review_markdown(found)) < LONGEST


def test_recordings_without_a_case_are_told_once_they_are_new():
    keep, stray = one("keep", "a#x"), recording("b", id_="stray")
    lost = replace(side(keep), recordings={"keep": keep[1], "stray": stray})
    assert reviewed(side(keep), lost).notes == ("recordings that belong to no case any more: stray",)
    assert reviewed(lost, lost).notes == ()


def test_a_case_held_up_by_its_edited_label_is_named():
    old = side(one("c", "a#x", "b#y"))
    new = side((case({"b#y": 2}, id_="c"), recording("b#y", "d#z", id_="c")))
    found = reviewed(old, new)
    assert (found.verdict, found.draws) == ("pass", 1)
    assert found.notes == ("only their edited labels keep these cases from being weaker than in BASE: c",)
    (change,) = found.golden
    assert (change.old_level, change.new_level) == ("miss", "strong")
    share = found.attribution["strong_share"]
    assert (share.retriever, share.labels, share.total) == (-1.0, 1.0, 0.0)


def test_wins_losses_and_regressions_are_counted_with_their_sign_test():
    old = side(one("won", "b", "a#x"), one("lost", "a#x", "b"), one("gone", "a#x"), one("same", "a#x"))
    new = side(one("won", "a#x", "b"), one("lost", "b", "a#x"), one("gone", "b"), one("same", "a#x"))
    found = reviewed(old, new)
    assert outcome_sentence(found) == "1 win, 2 losses (1 regression), 1 draw"
    assert found.p_one_sided == 0.5
    assert [case.case_id for case in found.transitions] == ["gone", "lost", "won"]
    assert miss_summary(found) == "1 miss in all; topK 6 would recover 0; of 1 nothing expected is recorded"


def test_what_differs_is_counted_by_kind():
    old = side(one("a", "a#x"), one("b", "a#x", "c"), one("d", "a#x"))
    renewed = recording("a#x", id_="a", index={"version": 2})
    state = PathState(path="fixture", status="degraded", reason="milvus: no answer")
    new = side(
        (old.cases["a"], renewed), one("b", "c", "a#x"), (case({"a#x": 1}, id_="d"), old.recordings["d"]),
        yardstick=YARDSTICK.model_copy(update={"top_k": 2, "relevance_floor": 0.5}), state=state,
    )  # fmt: skip
    assert input_phrases(reviewed(old, new)) == [
        "1 case relabelled",
        "1 recording changed",
        "1 recording renewed with the same ranking",
        "the path was ready and is degraded (milvus: no answer)",
        "topK was 3 and is 2",
        "relevance_floor was null and is 0.5",
    ]
