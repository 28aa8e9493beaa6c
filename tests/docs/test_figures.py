"""Figures and screens that stand in the documentation are those that the commands give now."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from stages.commands.engine_answers import EngineParams, open_answers
from stages.records.case import Case
from stages.records.golden import Evidence
from stages.storage.corpus import read_corpus
from stages.storage.params import read_params
from stages.storage.recordings import read_recordings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIXTURE = r"(?:recordings in|cases are recorded in) (data/fixtures/[a-z]+)"


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def block(name, command):
    """Return what a page shows below a command."""
    return re.search(rf"^\$ {re.escape(command)}\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)[1]


def test_the_numbers_of_recordings_are_those_that_are_shipped():
    told = re.findall(rf"(\d+) {FIXTURE}", page("engines.md"))
    assert len(told) == 3
    assert told == [(str(len(read_recordings(ROOT / folder))), folder) for _, folder in told]
    (agreeing,) = re.findall(r"\((\d+) of \1 agree\)", page("engines.md"))
    assert int(agreeing) == len(read_recordings(ROOT / "data/fixtures/milvus"))


def test_the_screen_of_an_import_is_true(tmp_path):
    (tmp_path / "cases.csv").write_text(
        "id,query,doc_id,section,relevance,keywords\na,q,d,s,1,k\nb,q,d,s,high,k\nc,r,d,s,2,k\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "stages", "import", "csv", "cases.csv", "--output", "data/golden"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True, encoding="utf-8")
    assert done.stderr == block("formats.md", "retrieval-eval import csv cases.csv --output data/golden")


def test_a_question_step_by_step_has_the_scores_of_the_shipped_parameters(monkeypatch):
    """BM25 and the fusion are computed; what Milvus gave is taken from the page."""
    monkeypatch.chdir(ROOT)
    shown = page("runbook-evaluator.md").partition("/ai/runbooks/retrieve/debug -H")[2].partition("```")[0]
    query = re.search(r'"query": "([^"]+)"', shown)[1]
    case = Case(
        id="shown",
        scenario="s",
        query=query,
        fault_type=None,
        lang=None,
        tags=(),
        answerable=True,
        expectations=(),
        evidence=Evidence(),
    )
    params = read_params(EngineParams)
    with open_answers("bm25", params, read_corpus(Path("data/corpus"))) as answers:
        first = answers.answer(case).candidates[0]
    assert f'"rank": 1, "chunkId": "{first.chunk_id}", "score": {first.score}, ...' in shown
    ranks = json.loads(re.search(r'"armRanks": (\{.*?\})', shown)[1])
    weights = params.hybrid.weights.model_dump()
    fused = sum(weights[arm] / (params.hybrid.rrf_k + rank) for arm, rank in ranks.items())
    assert f'"score": {fused:.6f}, "armRanks"' in shown
    rules = json.loads(re.search(r'"rules": (\{.*?\})', shown)[1])
    place = int(re.search(r'"fusedRank": (\d+)', shown)[1])
    bonus = sum(getattr(params.rerank, rule) * value for rule, value in rules.items())
    score = 1 - (place - 1) / params.rerank.window + bonus
    assert f'"fusedRank": {place}, "score": {score:.6f},' in shown
    assert f'"window": {params.rerank.window}' in shown
