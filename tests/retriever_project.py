"""A small project for the commands about retrievers: nine chunks, five cases, Milvus recorded by hand."""

import shutil
from pathlib import Path

import yaml

from stages.core.case_building import build_cases
from stages.records.recording import PathState
from stages.storage.golden import read_golden
from stages.storage.recordings import write_path_state, write_recording
from tests.retriever_paths import recording

ROOT = Path(__file__).parents[1]
SECTIONS = {
    "核心指标": "看 consumer lag 与分区",
    "常见原因": "消费者太慢，毒消息",
    "修复建议": "扩容消费者，跳过毒消息",
}
CASES = {
    "lag": ("kafka consumer lag 怎么看", "kafka", "核心指标"),
    "slow": ("redis 消费者太慢", "redis", "常见原因"),
    "skip": ("rocketmq 跳过毒消息", "rocketmq", "修复建议"),
    "words": ("下单后一直没有反应", "kafka", "常见原因"),
}
MILVUS = {
    "lag": ["redis#核心指标", "kafka#核心指标"],
    "slow": ["redis#常见原因"],
    "skip": ["kafka#修复建议", "redis#修复建议"],
    "words": ["kafka#常见原因"],
    "nothing": ["kafka#核心指标"],
}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_project(folder: Path) -> Path:
    """Write corpus, golden cases, parameters and the recordings of Milvus into `folder`."""
    for product in ("kafka", "rocketmq", "redis"):
        body = "".join(f"## {name}\n{product}：{text}\n" for name, text in SECTIONS.items())
        write(folder / f"data/corpus/{product}.md", f"---\ntitle: {product} 手册\nlang: zh\n---\n{body}")
    cases = [
        {
            "id": case_id,
            "query": query,
            "fault_type": "MQ_BACKLOG",
            "expected": {"documents": [{"doc_id": doc_id, "section": section}], "evidence": {"keywords": ["x"]}},
        }
        for case_id, (query, doc_id, section) in CASES.items()
    ]
    cases.append({"id": "nothing", "query": "午饭吃什么", "expected": "none"})
    golden = yaml.safe_dump({"scenario": "chat_lookup", "cases": cases}, allow_unicode=True)
    write(folder / "data/golden/cases.yaml", golden)
    shutil.copy(ROOT / "params.yaml", folder)
    record_milvus(folder)
    return folder


def record_milvus(folder: Path) -> None:
    """Write what Milvus is said to have found."""
    cases, _ = build_cases(read_golden([folder / "data/golden"]))
    for case in cases:
        write_recording(folder / "data/fixtures/milvus", recording(case, MILVUS[case.id]))
    write_path_state(folder / "data/fixtures/milvus", PathState(path="milvus", status="ready"))


def set_params(folder: Path, **sections: dict[str, object]) -> None:
    """Change single keys of params.yaml."""
    params = yaml.safe_load((folder / "params.yaml").read_text(encoding="utf-8"))
    for name, values in sections.items():
        params[name] |= values
    write(folder / "params.yaml", yaml.safe_dump(params, allow_unicode=True))
