"""The search and fuse stages on the shipped corpus and on a small one, swept by parameters alone."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from stages import fuse, search
from stages.rendering.terminal import run_reporting

ROOT = Path(__file__).parents[2]
CORPUS = {
    "mq-backlog": (
        "---\ntitle: MQ 堆积排查手册\nbreadcrumb: [消息队列, MQ 堆积]\nkeywords: [consumer lag]\n---\n"
        "## 核心指标\n看 mq_consumer_lag_high。\n## 常见原因\n消费者太慢，线程池耗尽。\n## 修复建议\n先扩分区。\n"
    ),
    "disk-full": "---\ntitle: Disk is full\n---\n## Meaning\nThe volume is filling up.\n## Mitigation\nDelete logs.\n",
    "mq-ko": "---\ntitle: 컨슈머 지연 대응\n---\n## 조치 방법\n파티션을 늘린다.\n",
}
QUERIES = {
    "zh": "线程池为什么耗尽",
    "ko": "컨슈머가 지연될 때",
    "en": "volumes fill up",
    "name": "consumer lag high",
    "empty": "？",
    "unknown": "xyzzy",
}


@pytest.fixture
def project(tmp_path):
    """A folder with a small corpus and its cases, as the stages find them."""
    (tmp_path / "data/corpus").mkdir(parents=True)
    (tmp_path / "data/build").mkdir()
    for name, text in CORPUS.items():
        (tmp_path / f"data/corpus/{name}.md").write_text(text, encoding="utf-8")
    cases = [
        {"id": name, "scenario": "chat_lookup", "query": query, "fault_type": None, "lang": None, "tags": []}
        | {"answerable": False, "expectations": [], "evidence": {}}
        for name, query in sorted(QUERIES.items())
    ]
    (tmp_path / "data/build/cases.json").write_text(json.dumps({"cases": cases}), encoding="utf-8")
    shutil.copy(ROOT / "params.yaml", tmp_path)
    return tmp_path


def run(project, stage, **changes):
    params = yaml.safe_load((project / "params.yaml").read_text(encoding="utf-8"))
    for key, value in changes.items():
        section, name = key.split("__")
        params[section][name] = value
    (project / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    with contextlib.chdir(project):
        return run_reporting({"search": search.main, "fuse": fuse.main}[stage])


def run_as_dvc_does(project, stage, seed):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", f"stages.{stage}"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "")


def recorded(project, path):
    lines = (project / f"data/build/{path}/recordings.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["case_id"]: record for record in map(json.loads, lines)}


def ids(record):
    return [candidate["chunk_id"] for candidate in record["candidates"]]


def dense_arm(project, query=None):
    """An arm as Milvus records it, finding the Korean runbook for everything."""
    folder = project / "data/fixtures/milvus"
    folder.mkdir(parents=True)
    (folder / "recording.json").write_text(json.dumps({"path": "milvus", "status": "ready"}), encoding="utf-8")
    hit = {"rank": 1, "doc_id": "mq-ko", "section": "조치 방법", "chunk_id": "mq-ko#조치 방법", "score": 0.9}
    for name, text in QUERIES.items():
        record = {"case_id": name, "query": query or text, "top_k": 50, "candidates": [hit]}
        (folder / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")


def test_each_language_finds_its_runbook_and_nothing_is_found_for_nothing(project):
    assert run(project, "search") == 0
    answers = recorded(project, "bm25")
    assert ids(answers["zh"])[0] == "mq-backlog#常见原因"
    assert ids(answers["ko"]) == ["mq-ko#조치 방법"]
    assert ids(answers["en"])[0] == "disk-full#Meaning"
    assert ids(answers["name"])[0] == "mq-backlog#核心指标"
    assert ids(answers["empty"]) == ids(answers["unknown"]) == []
    assert all(candidate["content"] for candidate in answers["zh"]["candidates"])
    assert answers["zh"]["provenance"]["corpus_digest"].startswith("sha256:")


def test_search_and_fuse_write_the_same_bytes_for_any_hash_seed(project):
    dense_arm(project)
    outputs = []
    for seed in ("0", "1"):
        run_as_dvc_does(project, "search", seed)
        run_as_dvc_does(project, "fuse", seed)
        outputs.append({path.name + path.parent.name: path.read_bytes() for path in project.glob("data/build/*/*")})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 4


def test_parameters_alone_change_what_is_found(project):
    run(project, "search", bm25__depth=1, bm25__index_fields=["body"])
    answers = recorded(project, "bm25")
    assert ids(answers["ko"]) == []
    assert len(ids(answers["zh"])) == 1
    run(project, "search", bm25__k1=0.0, bm25__b=0.0)
    flat = recorded(project, "bm25")["zh"]["candidates"][0]["score"]
    assert flat != answers["zh"]["candidates"][0]["score"]


def test_fusing_is_swept_without_any_engine(project):
    run(project, "search")
    dense_arm(project)
    assert run(project, "fuse") == 0
    answers = recorded(project, "hybrid")
    assert {"mq-backlog#常见原因", "mq-ko#조치 방법"} <= set(ids(answers["zh"]))
    run(project, "fuse", hybrid__weights={"bm25": 0.0, "milvus": 1.0})
    alone = recorded(project, "hybrid")["zh"]
    assert (ids(alone), alone["code"]) == (["mq-ko#조치 방법"], None)
    run(project, "fuse", hybrid__weights={"bm25": 1.0, "milvus": 9.0}, hybrid__method="min_max", rerank__enabled=False)
    assert recorded(project, "hybrid")["zh"]["candidates"][0]["score_label"] == "min_max"


@pytest.mark.parametrize("captured", [False, True])
def test_a_missing_or_stale_arm_shows_in_every_answer_and_in_the_state(project, captured):
    run(project, "search")
    if captured:
        dense_arm(project, query="another question")
    assert run(project, "fuse") == 0
    state = json.loads((project / "data/build/hybrid/recording.json").read_text(encoding="utf-8"))
    reason = "milvus: recorded for another query" if captured else "milvus was never captured"
    assert (state["status"], state["reason"]) == (
        "degraded",
        f"6 of 6 cases lack an arm; mostly: {reason}; fused from bm25 alone",
    )
    assert {record["code"] for record in recorded(project, "hybrid").values()} == {"degraded"}


@pytest.mark.parametrize(
    ("stage", "changes", "key"),
    [
        ("search", {"bm25__k1": "abc"}, "bm25.k1"),
        ("search", {"bm25__b": 1.5}, "bm25.b"),
        ("search", {"bm25__depth": None}, "bm25.depth"),
        ("search", {"bm25__index_fields": ["body", "author"]}, "bm25.index_fields[2]"),
        ("search", {"bm25__index_fields": ["body", "body"]}, "bm25.index_fields"),
        ("fuse", {"hybrid__method": "sum"}, "hybrid.method"),
        ("fuse", {"hybrid__weights": {"bm25": 0, "milvus": 0}}, "hybrid.weights"),
        ("fuse", {"rerank__window": 0}, "rerank.window"),
        ("fuse", {"rerank__heading": "yes"}, "rerank.heading"),
    ],
)
def test_a_faulty_parameter_is_named_with_its_place(project, capsys, stage, changes, key):
    assert run(project, stage, **changes) == 2
    said = capsys.readouterr().err
    assert f": {key} is " in said
    assert said.endswith("1 problem\n")
