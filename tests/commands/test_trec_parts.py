"""A run scored in two processes gives what it gives in one, and tells its faults all the same."""

import argparse
import random

import pytest

from stages.commands import second_process
from stages.commands.trec_scoring import score_files
from stages.core.trec_measures import parse_trec_measures
from stages.records.problem import InputError
from stages.storage.trec import spans

pytestmark = pytest.mark.skipif(not second_process.has_spare_processor(), reason="there is one processor only")


def rows():
    generator = random.Random(3)
    return [
        f"q{query} Q0 d{document} 1 {generator.randrange(9)} r\n"
        for query in range(300)
        for document in generator.sample(range(50), generator.randint(1, 30))
    ]


def scored(folder, lines):
    (folder / "run").write_text("".join(lines), encoding="utf-8")
    (folder / "qrels").write_text("".join(f"q{query} 0 d{query % 50} 1\n" for query in range(250)), encoding="utf-8")
    args = argparse.Namespace(qrels=folder / "qrels", order="score", level=1, complete=True)
    found = score_files(args, folder / "run", parse_trec_measures(["map", "P_5"]))
    return found.queries, found.hits, found.ties, found.counts(), found.account()


@pytest.fixture
def always_two(monkeypatch):
    monkeypatch.setattr(spans, "LARGE_BYTES", 0)
    calls = []
    monkeypatch.setattr(
        second_process, "beside", lambda work, real=second_process.beside: calls.append(1) or real(work)
    )
    return calls


@pytest.mark.parametrize("shuffled", [False, True])
def test_two_processes_find_what_one_finds(tmp_path, monkeypatch, always_two, shuffled):
    lines = rows()
    if shuffled:
        random.Random(4).shuffle(lines)
    two = scored(tmp_path, lines)
    assert always_two
    monkeypatch.setattr(second_process, "has_spare_processor", lambda: False)
    assert scored(tmp_path, lines) == two


@pytest.mark.parametrize("at", [0.25, 0.75])
@pytest.mark.parametrize("shuffled", [False, True])
def test_a_fault_in_either_half_is_told_with_its_line(tmp_path, always_two, at, shuffled):
    lines = rows()
    if shuffled:
        random.Random(4).shuffle(lines)
    place = int(len(lines) * at)
    lines[place] = "q1 Q0 d1 1 high r\n"
    with pytest.raises(InputError, match=rf"run:{place + 1}:\d+: the score 'high' is not a number"):
        scored(tmp_path, lines)
    assert always_two


def test_a_query_in_both_halves_is_put_together(tmp_path, always_two):
    lines = rows()
    moved = [*lines[5:], *lines[:5]]
    assert scored(tmp_path, moved)[0] == scored(tmp_path, lines)[0]
    assert scored(tmp_path, moved)[1] == scored(tmp_path, lines)[1]
    assert always_two
