"""A block split all at once means what its rows mean one by one, whatever stands in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.storage.trec import columns
from stages.storage.trec.columns import Tally, judgment_columns, run_columns, stretches
from stages.storage.trec.row_rules import RowError

FIELDS = [
    "q1",
    "q2",
    "d",
    "doc#1",
    "#",
    "1",
    "-2",
    "+3",
    "2.5",
    "1e3",
    "nan",
    "-inf",
    "1_0",
    "0x1",
    ".",
    "é",
    "a\u00a0b",
    "\ufeffa",
]
GAPS = [" ", "\t", "  ", " \r", "\x0b"]
NOISE = ["", "\0", "\ud800", " ", "\r", "\x85", "\u2028", "\ufeff", "\r\r"]


@st.composite
def blocks(draw, width):
    """Whole lines, most of them of the right number of fields."""
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        count = draw(st.sampled_from([width] * 6 + [width - 1, width + 1, 0]))
        fields = [draw(st.sampled_from(FIELDS)) for _ in range(count)]
        gap = draw(st.sampled_from(GAPS))
        lines.append(gap.join(fields) + draw(st.sampled_from([""] * 8 + NOISE)))
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogatepass")


def outcome(call):
    tally = Tally()
    try:
        found = call(tally)
    except RowError:
        return "refused"
    return found, tally.rows, tally.comments, tally.wide, tally.tag


@settings(max_examples=600)
@given(blocks(6), st.booleans())
def test_a_run_all_at_once_is_a_run_row_by_row(block, by_rank):
    fast = outcome(lambda tally: run_columns(block, tally, by_rank=by_rank))
    assert fast == outcome(lambda tally: columns._run_row_by_row(block, tally, by_rank=by_rank))


@settings(max_examples=600)
@given(blocks(4))
def test_judgments_all_at_once_are_judgments_row_by_row(block):
    fast = outcome(lambda tally: judgment_columns(block, tally))
    assert fast == outcome(lambda tally: columns._judgments_row_by_row(block, tally))


@given(st.lists(st.sampled_from([b"a", b"b"]), max_size=80))
def test_stretches_are_the_runs_of_equal_queries(queries):
    found = list(stretches(queries))
    assert [at for start, end in found for at in range(start, end)] == list(range(len(queries)))
    assert all(len(set(queries[start:end])) == 1 for start, end in found)
    assert all(queries[end - 1] != queries[end] for _, end in found[:-1])


@pytest.mark.parametrize("lines", [1, 300])
def test_an_ordinary_block_is_not_read_row_by_row(monkeypatch, lines):
    """The fast way is the one that is taken."""
    monkeypatch.setattr(columns, "_run_row_by_row", None)
    block = b"".join(b"q Q0 d%d %d 1.5 r\n" % (row, row) for row in range(lines))
    assert len(run_columns(block, Tally(), by_rank=False)[0]) == lines
