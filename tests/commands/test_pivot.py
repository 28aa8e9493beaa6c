"""`retrieval-eval pivot`: one metric by group and path."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from made import READY, case, recording

from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.yardstick import Yardstick
from stages.storage.json_file import write_json

ROOT = Path(__file__).parents[2]
YARDSTICK = Yardstick(top_k=3, cutoffs=(1,), primary_grain="section", min_keyword_coverage=0.6, relevance_floor=None)
CASES = [
    case("a#s", case_id="one", fault_type="MQ_BACKLOG", tags=("x", "y")),
    case("a#s", "b#s", case_id="two", fault_type="SLOW_SQL"),
    case("a#s", case_id="gone", fault_type="SLOW_SQL"),
    case("a#s", case_id="only", fault_type="DNS_RESOLUTION"),
]


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Two scored paths; the second never ran the only case of one fault type."""
    left = {"one": recording("a#s", case_id="one"), "two": recording("a#s", case_id="two")}
    left["only"] = recording("z", case_id="only")
    right = {"one": recording("z", "a#s", case_id="one"), "two": recording("z", case_id="two")}
    for name, made in (("left", left), ("right", right)):
        write_json(tmp_path / f"{name}.json", score_path(CASES, replay_path(CASES, made, READY, 3, (1,)), YARDSTICK))
    return tmp_path


def pivot(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stages", "pivot", "--scored", str(folder), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


def test_the_table_has_a_row_a_group_and_each_mean_its_n(scored: Path) -> None:
    done = pivot(scored, "--paths", "left", "right")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["recall_at_k"],
        ["left", "left", "n", "right", "right", "n"],
        ["fault_type"],
        ["DNS_RESOLUTION", "0.000", "1", "–", "0"],
        ["MQ_BACKLOG", "1.000", "1", "1.000", "1"],
        ["SLOW_SQL", "0.500", "1", "0.000", "1"],
        ["all", "0.500", "3", "0.500", "2"],
    ]


def test_json_has_null_where_there_is_nothing_to_average(scored: Path) -> None:
    found = json.loads(pivot(scored, "--paths", "left", "right", "--json", "--metric", "strong").stdout)
    assert found["DNS_RESOLUTION"] == {"left": 0.0, "left n": 1, "right": None, "right n": 0}
    assert found["all"] == {"left": 0.666667, "left n": 3, "right": 0.5, "right n": 2}


def test_csv_counts_a_case_once_a_tag(scored: Path) -> None:
    done = pivot(scored, "--paths", "right", "--by", "tag", "--metric", "mrr", "--csv")
    assert done.stdout == "tag,right,right n\n(none),0.000000,1\nx,0.500000,1\ny,0.500000,1\nall,0.250000,2\n"


def test_an_unknown_metric_or_path_gets_one_line(scored: Path) -> None:
    unknown = pivot(scored, "--paths", "left", "--metric", "f1")
    assert unknown.returncode == 2
    assert unknown.stderr.startswith("--metric: no scored case has the metric 'f1'. Take one of strong, medium, miss, ")
    absent = pivot(scored, "--paths", "nowhere")
    assert absent.returncode == 2
    assert absent.stderr.endswith("this path was not scored. Run `dvc repro`, or correct --paths.\n1 problem\n")
