"""The shipped golden set: clean against the corpus, and able to see damage."""

import argparse
import json
from pathlib import Path

import pytest

from stages.commands import check

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_every_label_and_every_evidence_stands_in_the_corpus(capsys):
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    assert check.run(parser.parse_args([])) == 0, capsys.readouterr().err


def test_the_gate_notices_nine_mutants_of_ten_and_is_blind_to_no_fault_type_and_no_damage():
    report = json.loads((ROOT / "docs/retrieval-eval/audit.json").read_text(encoding="utf-8"))
    assert report["killed_share"] >= 0.9
    assert (report["blind_fault_types"], report["blind_damage"]) == ([], [])
    assert {"drop_first", "swap_section", "remove_arm", "truncate", "flood_duplicates"} < set(report["by_damage"])
    assert {"strip_keyword", "shift_ranks", "replace_by_distractor"} < set(report["by_damage"])
