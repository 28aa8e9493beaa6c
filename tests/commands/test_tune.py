"""`tune` replays recorded arms, says both halves, and changes nothing."""

import json
import shutil
from pathlib import Path

import pytest

from stages.__main__ import main

ROOT = Path(__file__).parents[2]
SCREEN = """\
ndcg@10 by section; 5 settings tried on 6 cases, judged on 5 held out (split by fault type, seed 0)
left out: 1 milvus: not_recorded
left out: 1 without a label by section

setting         rrf_k   bm25  milvus  tuned on  held out
current            60   1.00    1.00     0.631     0.631
tuned               1   0.90    0.10     1.000     1.000
bm25 alone         60   1.00    0.00     1.000     1.000
milvus alone       60   0.00    1.00     0.500     0.500

held out, tuned against current: +0.369 (5 cases better, 0 worse, 0 the same; one-sided sign test p = 0.031)
a gain that the set can tell from chance: set hybrid.rrf_k and hybrid.weights in params.yaml.
"""
CASES = [(f"case-{number:02}", f"T{number % 2}") for number in range(12)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Twelve cases; BM25 has the answer first, Milvus second; one case was not recorded by Milvus."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    golden = "scenario: aiops_alert\ncases:\n" + "".join(
        f"  - id: {name}\n    query: {name}\n    fault_type: {fault}\n    expected:\n      documents:\n"
        f"        - {{doc_id: {name}, section: s}}\n      evidence:\n        keywords: [x]\n"
        for name, fault in CASES
    )
    golden += "  - {id: nothing, query: weather, expected: none}\n"
    (tmp_path / "data/golden").mkdir(parents=True)
    (tmp_path / "data/golden/a.yaml").write_text(golden, encoding="utf-8")
    write_arm(tmp_path / "data/build/bm25", "bm25", lambda name: [name, "wrong"])
    write_arm(tmp_path / "data/fixtures/milvus", "milvus", lambda name: ["wrong", "wronger", name])
    (tmp_path / "data/fixtures/milvus/case-00.json").unlink()
    return tmp_path


def write_arm(folder, path, found):
    folder.mkdir(parents=True)
    (folder / "recording.json").write_text(json.dumps({"path": path, "status": "ready"}), encoding="utf-8")
    for name, _ in CASES:
        candidates = [
            {"rank": rank, "doc_id": doc, "section": "s", "chunk_id": f"{doc}#s", "score": 1 / rank}
            for rank, doc in enumerate(found(name), 1)
        ]
        record = {"case_id": name, "query": name, "top_k": 50, "candidates": candidates}
        (folder / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")


def call(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["retrieval-eval", "tune", *arguments])
    return main()


def test_the_screen_shows_both_halves_beside_the_arms(project, monkeypatch, capsys):
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert call(monkeypatch, "--k", "1", "60", "--share", "0.5", "0.9") == 0
    assert capsys.readouterr().out == SCREEN
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


@pytest.mark.usefixtures("project")
def test_the_json_holds_the_same_numbers(monkeypatch, capsys):
    assert call(monkeypatch, "--k", "1", "60", "--share", "0.5", "0.9", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["tuned_cases"] + report["held_out_cases"], report["settings_tried"]) == (11, 5)
    assert report["left_out"] == {"milvus: not_recorded": 1, "without a label by section": 1}


def test_without_recordings_there_is_nothing_to_tune(project, monkeypatch, capsys):
    shutil.rmtree(project / "data/fixtures/milvus")
    assert call(monkeypatch) == 2
    assert capsys.readouterr().err == (
        "data/golden: 0 of 13 cases can be tuned on (milvus: not_captured). "
        "Record both arms: `dvc repro search`, `retrieval-eval capture milvus`.\n1 problem\n"
    )


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("arguments", [("--metric", "success@5"), ("--share", "1.5")])
def test_a_faulty_option_is_a_usage_error(monkeypatch, arguments):
    with pytest.raises(SystemExit) as stop:
        call(monkeypatch, *arguments)
    assert stop.value.code == 2
