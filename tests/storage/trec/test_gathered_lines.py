"""Rows in any order, gathered by query: all at once, or in two halves by two processes."""

import pytest

from stages.storage.trec.run_file import gather_lines

ROWS = [f"q{number % 7} Q0 d{number} {number} 1 run\n" for number in range(100)]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "run"
    path.write_text("".join(ROWS))
    return path


def test_every_query_has_its_lines_in_the_order_of_the_file(file):
    found = gather_lines(file, by_rank=False)
    assert found[b"q3"] == [row.encode() for row in ROWS if row.startswith("q3 ")]
    assert list(found) == [f"q{number}".encode() for number in range(7)]


def test_two_halves_hold_each_query_once_and_the_first_line_stands_in_the_first(file):
    first, second = (gather_lines(file, by_rank=False, half=half) for half in (0, 1))
    assert b"q0" in first
    assert not first.keys() & second.keys()
    assert first | second == gather_lines(file, by_rank=False)
