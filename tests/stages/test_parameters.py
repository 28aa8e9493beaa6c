"""Every stage checks its own section of the parameters, and says which key, what it got, and what it takes."""

import subprocess
import sys
from pathlib import Path

import pytest
from dvc.utils.serialize import modify_yaml

ROOT = Path(__file__).parents[2]
PARAMS = (ROOT / "params.yaml").read_text(encoding="utf-8")
TAKES = "topK takes a whole number from 1 to 1000."
CUTOFFS = "cutoffs takes a list of whole numbers from 1 to 1000."
THRESHOLDS = "thresholds takes a metric and its floor, or max_not_run and a count."


def screen(folder: Path, params: str, *module: str) -> str:
    """Return what a stage says of parameters, with exit code 2."""
    (folder / "params.yaml").write_text(params, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *module],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    return done.stderr


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("0", "0, which is less than 1"),
        ("1001", "1001, which is more than 1000"),
        ("abc", "'abc', which is no whole number"),
        ("null", "null, which is no whole number"),
        ("5.0", "5.0, which is no whole number"),
        ("true", "true, which is no whole number"),
        ("'5'", "'5', which is no whole number"),
        ("[5]", "[5], which is no whole number"),
    ],
)
def test_a_wrong_top_k_gets_one_line(tmp_path: Path, value: str, complaint: str) -> None:
    said = screen(tmp_path, f"topK: {value}\ncutoffs: [1]\n", "stages.retrieve", "fixture", "nowhere")
    assert said == f"params.yaml:1:1: topK is {complaint}. {TAKES}\n1 problem\n"


def test_every_wrong_parameter_is_named_at_once(tmp_path: Path) -> None:
    said = screen(tmp_path, "cutoffs:\n  - 3\n  - x\n  - 0\n", "stages.retrieve", "fixture", "nowhere")
    assert said.splitlines() == [
        f"params.yaml:1:1: topK is missing. {TAKES}",
        f"params.yaml:3:5: cutoffs[2] is 'x', which is no whole number. {CUTOFFS}",
        f"params.yaml:4:5: cutoffs[3] is 0, which is less than 1. {CUTOFFS}",
        "3 problems",
    ]


@pytest.mark.parametrize(
    ("thresholds", "complaint"),
    [
        ("3", "thresholds is 3, which is no mapping"),
        ("{recall_at_k: high}", "thresholds.recall_at_k is 'high', which is no number"),
        ("{recall_at_k: -1}", "thresholds.recall_at_k is -1, which is less than 0"),
        ("{recall_at_k: .nan}", "thresholds.recall_at_k is .nan, which is not finite"),
    ],
)
def test_wrong_thresholds_get_one_line(tmp_path: Path, thresholds: str, complaint: str) -> None:
    said = screen(tmp_path, f"thresholds: {thresholds}\n", "stages.report")
    assert said.split(": ", 1)[1] == f"{complaint}. {THRESHOLDS}\n1 problem\n"


SCORING = "topK: 5\ncutoffs: [1]\nhit_levels: {min_keyword_coverage: 0.6}\npaths:\n"
PATHS = "paths takes a name, then dir and relevance_floor."


@pytest.mark.parametrize("folder", ["data/x", "data/x/", "data/y/../x", "./data/x"])
def test_two_paths_have_a_folder_each(tmp_path: Path, folder: str) -> None:
    paths = f"  live: {{dir: data/x, relevance_floor: null}}\n  sidecar: {{dir: {folder}, relevance_floor: null}}\n"
    assert screen(tmp_path, SCORING + paths, "stages.score", "live") == (
        f"params.yaml:4:1: paths: live and sidecar share the folder {folder}, and each would record over the other. "
        f"{PATHS}\n1 problem\n"
    )


@pytest.mark.parametrize("name", ["../x", ".", "a/b", "''", "-x", "a b"])
def test_the_name_of_a_path_is_no_way_out_of_its_folder(tmp_path: Path, name: str) -> None:
    said = screen(tmp_path, f"{SCORING}  {name}: {{dir: data/x, relevance_floor: null}}\n", "stages.score", "x")
    plain = name.strip("'")
    assert f"paths.{plain} is '{plain}', which does not match ^[A-Za-z0-9][A-Za-z0-9._-]{{0,63}}$. {PATHS}" in said


def test_parameters_which_are_no_mapping_or_not_there(tmp_path: Path) -> None:
    assert screen(tmp_path, "- 1\n", "stages.report") == (
        "params.yaml:1:1: the file holds no mapping. Write `topK: 5` and so on.\n1 problem\n"
    )


def test_a_sweep_leaves_the_layout_of_the_parameters_alone(tmp_path: Path) -> None:
    """`dvc exp run -S` writes the file anew in its own layout; ours is that layout, so a diff shows the value alone."""
    copy = tmp_path / "params.yaml"
    copy.write_text(PARAMS, encoding="utf-8")
    with modify_yaml(copy) as params:
        params["topK"] = 7
    assert copy.read_text(encoding="utf-8") == PARAMS.replace("topK: 5", "topK: 7")
