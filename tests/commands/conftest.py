"""The command line as a user calls it: a program of its own, in a folder of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALL_PARAMS = """\
topK: 3
cutoffs: [1]
hit_levels: {min_keyword_coverage: 0.6, primary_grain: section}
paths:
  fixture: {dir: data/fixtures/baseline, relevance_floor: null}
thresholds: {}
gate:
  max_strong_drops: 0
  max_regressions: 0
  max_losses: null
  max_removed: 0
  max_drop: {}
  keep_last_strong: []
  group_floors: {}
  unjudged_drops: fail
  inconclusive_exit_code: 3
audit: {keep: 1, shift: 3, min_cases: 2}
"""
SMALL_GOLDEN = """\
scenario: s
cases:
  - id: found
    query: q
    fault_type: F
    expected:
      documents: [{doc_id: mq, section: 原因}]
      evidence: {keywords: [变慢]}
  - id: lost
    query: r
    fault_type: G
    expected:
      documents: [{doc_id: db, section: 原因}]
      evidence: {keywords: [锁]}
"""


@pytest.fixture
def cli(tmp_path):
    """Run `retrieval-eval ...` in the temporary folder; returns the finished process."""

    def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "stages", *arguments]
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
            **options,
        )

    return run


@pytest.fixture
def small_project(tmp_path):
    """Two cases over three documents: one is found, one is missed."""
    for name, text in {"mq": "消费者变慢", "db": "锁等待", "net": "丢包"}.items():
        path = tmp_path / f"data/corpus/{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ntitle: {name}\nbreadcrumb: [{name}]\n---\n## 原因\n{text}\n", encoding="utf-8")
    (tmp_path / "data/golden").mkdir()
    (tmp_path / "data/golden/a.yaml").write_text(SMALL_GOLDEN, encoding="utf-8")
    (tmp_path / "params.yaml").write_text(SMALL_PARAMS, encoding="utf-8")
    folder = tmp_path / "data/fixtures/baseline"
    folder.mkdir(parents=True)
    (folder / "recording.json").write_text('{"path": "fixture", "status": "ready"}', encoding="utf-8")
    texts = {"mq": "消费者变慢", "net": "丢包"}
    for case_id, query, order in (("found", "q", ("mq", "net")), ("lost", "r", ("net", "mq"))):
        candidates = [
            {"rank": rank, "doc_id": name, "section": "原因", "chunk_id": f"{name}#原因", "content": texts[name]}
            for rank, name in enumerate(order, 1)
        ]
        recording = {"case_id": case_id, "query": query, "top_k": 10, "candidates": candidates}
        (folder / f"{case_id}.json").write_text(json.dumps(recording, ensure_ascii=False), encoding="utf-8")
    return tmp_path
