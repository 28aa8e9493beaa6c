"""Ten times the rows cost at most eleven times the time, and no shape of rows grows with the square."""

import argparse
import random
import time

import pytest

from stages.commands.trec_scoring import score_files

# Each makes (query, document, score) rows.
SHAPES = {
    "grouped": lambda size: [(row // 100, row, -(row % 100)) for row in range(size)],
    "shuffled": lambda size: random.Random(1).sample([(row // 100, row, -(row % 100)) for row in range(size)], size),
    "one query": lambda size: [(0, row, -row) for row in range(size)],
    "one query, all scores equal": lambda size: [(0, row, 1) for row in range(size)],
}


def seconds(folder, shape, size):
    """The least processor time of three, reading and scoring."""
    rows = SHAPES[shape](size)
    (folder / "run").write_text("".join(f"q{query} Q0 d{row} 1 {score} r\n" for query, row, score in rows))
    judged = sorted({(query, row) for query, row, _ in rows if row % 10 == 0})
    (folder / "qrels").write_text("".join(f"q{query} 0 d{row} 1\n" for query, row in judged))
    args = argparse.Namespace(qrels=folder / "qrels", order="score", level=1, complete=False)
    taken = []
    for _ in range(3):
        started = time.process_time()
        score_files(args, folder / "run")
        taken.append(time.process_time() - started)
    return min(taken)


@pytest.mark.parametrize(
    ("shape", "most"), [("grouped", 11), ("shuffled", 11), ("one query", 30), ("one query, all scores equal", 30)]
)
def test_ten_times_the_rows_cost_at_most_so_many_times_the_time(tmp_path, shape, most):
    """A loaded machine may spoil one measurement, not three in a row; what grows with the square fails all three.

    All rows in one query leave the processor's cache at once when there are ten times as many, and cost more for that.
    """
    ratios = []
    while len(ratios) < 3 and (not ratios or min(ratios) > most):
        ratios.append(seconds(tmp_path, shape, 100_000) / seconds(tmp_path, shape, 10_000))
    assert min(ratios) <= most, ratios
