"""Columns align where characters are one or two cells wide."""

import pytest

from stages.rendering.columns import cells, clip, side_by_side


@pytest.mark.parametrize(
    ("text", "wide"), [("abc", 3), ("核心", 4), ("한국", 4), ("e\u0301", 1), ("", 0), ("（a）", 5)]
)
def test_wide_characters_take_two_cells_and_combining_ones_none(text, wide):
    assert cells(text) == wide


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("核心指标", 8, "核心指标"),
        ("核心指标", 7, "核心指…"),
        ("核心指标", 6, "核心…"),
    ],
)
def test_a_text_is_cut_to_cells_and_not_to_characters(text, width, shown):
    assert clip(text, width) == shown
    assert cells(shown) <= width


def test_rows_are_padded_to_the_widest_cell_of_their_column():
    assert side_by_side([["1", "核心", "x"], ["10", "a", "y"]], 20) == "1   核心  x\n10  a     y"
