"""Every verb tells the faults of all its inputs at once: two golden files, and what is wrong beside them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stages.__main__ import main

GOLDEN = ["data/golden/a.yaml", "data/golden/b.yaml"]
SHAPE = "scenario: s\ncases:\n- {id: shape, query: q, expected: {documents: [{docid: mq}]}}\n"
SENSE = "scenario: s\ncases:\n- {id: sense, query: '...', expected: none}\n"


@pytest.fixture
def broken(small_project, monkeypatch):
    """Two golden files which are none, and no recordings."""
    monkeypatch.chdir(small_project)
    for file in GOLDEN:
        Path(file).write_text(SHAPE, encoding="utf-8")
    shutil.rmtree("data/fixtures/baseline")


def faulty_files(capsys, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["retrieval-eval", *arguments])
    assert main() == 2
    lines = capsys.readouterr().err.splitlines()[:-1]
    return list(dict.fromkeys(line.split(": ")[0].rstrip("0123456789:") for line in lines))


FOLDER = "data/fixtures/baseline"
RECORDED = "data/fixtures/baseline/x.json"
STATE = "data/fixtures/baseline/recording.json"
MILVUS = "data/fixtures/milvus/x.json"
CORPUS = "data/corpus/mq.md"
SERVICES = "services.yaml"
PARAMS = "params.yaml"


@pytest.mark.parametrize(
    ("verb", "damaged", "told"),
    [
        ("evaluate", [], [FOLDER]),
        ("bounds", [], [FOLDER]),
        ("evaluate", [RECORDED, STATE], []),
        ("bounds", [RECORDED, STATE], []),
        ("audit", [CORPUS, RECORDED, STATE], []),
        ("audit --path nowhere", [CORPUS], [PARAMS]),
        ("label --export q.csv", [CORPUS, PARAMS], []),
        ("check", [CORPUS], []),
        ("tune", [MILVUS, PARAMS], []),
        ("runs data/fixtures/baseline data/fixtures/milvus", [RECORDED, MILVUS], []),
        ("export ragas out.csv --fixtures data/fixtures/baseline", [CORPUS, RECORDED], []),
        ("capture bm25", [CORPUS, PARAMS], []),
        ("capture sidecar", [PARAMS, SERVICES], []),
        ("live", [PARAMS, SERVICES], []),
        ("live --no-capture", [PARAMS, CORPUS], []),
        ("evaluate --retriever all", [CORPUS, PARAMS, MILVUS], []),
        ("new question", [CORPUS], []),
    ],
)
@pytest.mark.usefixtures("broken")
def test_golden_faults_and_what_is_wrong_beside_them(verb, damaged, told, capsys, monkeypatch):
    for file in damaged:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("---\n{\n---\n" if file == CORPUS else "{", encoding="utf-8")
    assert faulty_files(capsys, monkeypatch, *verb.split()) == sorted([*GOLDEN, *damaged, *told])


@pytest.mark.parametrize("verb", ["check", "evaluate --fixtures data/fixtures", "live", "capture sidecar"])
@pytest.mark.usefixtures("broken")
def test_a_case_that_asks_nothing_is_told_of_beside_a_file_that_is_none(verb, capsys, monkeypatch):
    Path(GOLDEN[1]).write_text(SENSE, encoding="utf-8")
    assert [file for file in faulty_files(capsys, monkeypatch, *verb.split()) if "golden" in file] == GOLDEN


@pytest.mark.parametrize("verb", ["gate HEAD", "diff HEAD", "accept found --reason r", "show found"])
@pytest.mark.usefixtures("broken")
def test_a_review_tells_of_all_inputs_too(verb, capsys, monkeypatch):
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], check=True)
    damaged = [CORPUS, RECORDED, STATE] + ([] if verb.startswith("show") else ["data/accepted.yaml"])
    for file in damaged:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("---\n{\n---\n" if file == CORPUS else "{", encoding="utf-8")
    found = faulty_files(capsys, monkeypatch, *verb.split())
    assert [file for file in found if ":" not in file] == sorted([*GOLDEN, *damaged])
