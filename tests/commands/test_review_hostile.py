"""Whatever stands in cases, recordings and reasons: the comment shows it as text, and pings nobody."""

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from stages.commands.review_output import LONGEST, review_annotations, review_junit, review_markdown, review_text
from stages.commands.review_run import ReviewRun
from stages.core.reviewing import review
from stages.core.side_comparison import compare_sides
from stages.records.accepted import AcceptedCase
from stages.records.case import Case
from stages.records.golden import Evidence, Expectation
from stages.records.params.gate import GateParams
from stages.records.recording import Candidate, PathState, Recording
from stages.records.side import Side
from stages.records.yardstick import Yardstick

OURS = {"<details><summary>", "</summary>", "</details>"}
HOSTILE = [
    "a | b || c `code` ``more`` \\| \\",
    "<script>alert(1)</script><img src=x onerror=alert(1)><!-- --> </details>",
    "@octocat @org/team ping #123 GH-45 org/repo#7 !8 user@example.org :tada: $x^2$",
    "![image](https://example.org/x.png) [link](https://example.org) <https://example.org> www.example.org ftp://a.b",
    "\u202edesrever\u202c \u2066iso\u2069 \u200bzero\u00ad \ufeff \x1b[31mred\x07",
    "# heading\n\n- list\n1. one\n> quote\n***\n| a |\n|---|\n```\nfence",
    "x" * 100_000,
    "|" * 100_000,
    "**bold** _em_ ~~gone~~ &amp; &lt; [ref]: x",
]


def hostile_run(texts: list[str]) -> ReviewRun:
    """Both sides with the texts in every free field: queries, ids, sections, keywords, tags, contents, reasons."""
    sides = [_side(texts, turned) for turned in (False, True)]
    comparison = compare_sides(*sides)
    gate = {
        "max_strong_drops": 0,
        "max_regressions": 0,
        "max_losses": 0,
        "max_removed": 0,
        "max_drop": {},
        "keep_last_strong": ["tag"],
        "group_floors": {"tag": {"recall_at_k": 0.9}},
        "unjudged_drops": "fail",
        "inconclusive_exit_code": 3,
    }
    params = GateParams.model_validate({"thresholds": {"max_not_run": 0}, "gate": gate})
    ledger = [AcceptedCase(case="c0", level="medium", reason=(texts[0] + ".")[:9_999], until=date(2020, 1, 1))]
    return ReviewRun(review(comparison, params, ledger, date(2026, 1, 1)), comparison, tuple(ledger))


def _side(texts: list[str], turned: bool) -> Side:
    cases, recordings = {}, {}
    for number, text in enumerate(texts):
        id_ = f"c{number}"
        short = text[:9_000] or "."
        label = Expectation(doc_id=short + "doc", section=short)
        cases[id_] = Case(
            id=id_, scenario="s", query=text, fault_type=None, lang=None, tags=(short,), answerable=True,
            expectations=(label,), evidence=Evidence(keywords=(short + ("new" if turned else "old"),)),
        )  # fmt: skip
        right = Candidate(rank=1, doc_id=short + "doc", section=short, content=f"{short}new {short}old", score=0.5)
        wrong = Candidate(rank=1, doc_id=text + "other", title=text, section=text, content=text, score=0.5)
        order = [wrong, right] if turned else [right, wrong]
        found = tuple(c.model_copy(update={"rank": rank}) for rank, c in enumerate(order, 1))
        origins = [{"chunk_id": "None", "arms": {text: 1}}]
        recordings[id_] = Recording(case_id=id_, query=text, top_k=5, candidates=found,
                                    provenance={"arms": {text: 5}, "origins": origins})  # fmt: skip
    if turned:
        last = f"c{len(texts) - 1}"
        recordings[last] = recordings[last].model_copy(update={"state": "error", "reason": texts[-1], "candidates": ()})
    state = PathState(path="fixture", status="ready", reason=texts[0])
    yardstick = Yardstick(
        top_k=1, cutoffs=(1,), primary_grain="section", min_keyword_coverage=0.5, relevance_floor=None
    )
    places = dict.fromkeys(cases, ("data/golden/a.yaml", 3))
    return Side(texts[0], cases, places, recordings, state, yardstick)


def assert_is_text(comment: str) -> None:
    """Nothing but our own table, details and summary is markup, for a parser with tables and links switched on."""
    assert len(comment) < LONGEST
    assert comment.startswith("<!-- retrieval-eval review fixture -->\n## Retrieval gate: ")
    tokens = MarkdownIt("gfm-like").parse(comment)
    kinds = {token.type for token in tokens}
    assert not kinds & {"fence", "code_block", "bullet_list_open", "ordered_list_open", "hr"}
    assert sum(token.type == "heading_open" for token in tokens) == 1
    for token in tokens:
        if token.type == "html_block":
            assert set(re.findall(r"</?\w+>", token.content)) <= {"<details>", "<summary>", "</summary>", "</details>"}
        for child in token.children or []:
            assert child.type not in {"html_inline", "link_open", "image", "em_open", "s_open"}, child
            if child.type == "text":
                assert not re.search(r"@\w|[#!]\d|GH-\d|:tada:|\bwww\.\w", child.content), child.content
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x1b\x07\ufeff]", comment)


def test_hostile_content_is_text_in_every_place():
    assert_is_text(review_markdown(hostile_run(HOSTILE).review))


@pytest.mark.parametrize("text", HOSTILE)
def test_many_cases_of_one_hostile_text_still_fit(text):
    assert_is_text(review_markdown(hostile_run([text] * 60).review))


@given(
    st.lists(st.text(st.sampled_from("ab @#|`<>*_[]()!\\~$&:-\n1."), min_size=1, max_size=60), min_size=1, max_size=3)
)
@settings(max_examples=30, deadline=None)
def test_any_mixture_of_special_characters_is_text(texts):
    assert_is_text(review_markdown(hostile_run(texts).review))


def test_the_terminal_junit_and_annotations_hold_no_steering_character():
    run = hostile_run(HOSTILE)
    for text in (review_text(run.review), review_junit(run), "\n".join(review_annotations(run))):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b\x07]", text)


def test_an_annotation_is_one_line_whatever_it_says():
    lines = list(review_annotations(hostile_run(HOSTILE)))
    assert lines
    assert all(line.startswith(("::error file=", "::notice file=")) and "\n" not in line for line in lines)


def test_the_comment_is_the_same_twice():
    assert review_markdown(hostile_run(HOSTILE).review) == review_markdown(hostile_run(HOSTILE).review)
