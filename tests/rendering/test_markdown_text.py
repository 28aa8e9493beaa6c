"""Hostile text is shown, and does nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.rendering.markdown_text import code_span, escape_cell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("`code`", "\\`code\\`"),
        ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
        ("&amp;", "&amp;amp;"),
        ("@everyone look", "@&#8203;everyone look"),
        ("see #12 and !34", "see #&#8203;12 and !&#8203;34"),
        ("![x](http://e.test/a.png)", "!\\[x\\](http&#8203;://e.test/a.png)"),
        ("www.example.test", "www&#8203;.example.test"),
        ("two\nlines\r\nhere", "two lines here"),
        ("safe\u202eevil", "safe(U+202E)evil"),
        ("zero\u200bwidth", "zero(U+200B)width"),
        ("kafka_consumergroup_lag", "kafka_consumergroup_lag"),
        ("_emphasis_", "\\_emphasis\\_"),
        ("**bold**", "\\*\\*bold\\*\\*"),
        ("1. not a list", "1\\. not a list"),
        ("- not a list", "\\- not a list"),
        ("0.5 stays", "0.5 stays"),
        ("a\\|b", "a\\\\\\|b"),
        ("$x$", "$&#8203;x$&#8203;"),
        (None, ""),
    ],
)
def test_a_cell_shows_text_as_written(text: str | None, shown: str) -> None:
    assert escape_cell(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("mq#核心指标", "`mq#核心指标`"),
        ("a|b", "`a\\|b`"),
        ("a`b", "``a`b``"),
        ("`", "`` ` ``"),
        ("@all", "`@all`"),
        ("", ""),
    ],
)
def test_a_code_span_holds_any_text(text: str, shown: str) -> None:
    assert code_span(text) == shown


@given(st.text(max_size=2000))
def test_a_cell_is_one_short_line_without_markup(text: str) -> None:
    shown = escape_cell(text, 100)
    assert "\n" not in shown
    assert "<" not in shown
    assert len(shown) < 100 * 12


def test_a_line_of_100_kilobytes_is_cut() -> None:
    assert escape_cell("x" * 100_000) == "x" * 299 + "…"
