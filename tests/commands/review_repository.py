"""A bare repository with a main branch and twelve pull requests, made with `git fast-import` from plain tables."""

import json
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from stages.commands.review_side import read_side
from stages.core.baseline_report import baseline_report
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.storage.json_file import dump_json, dump_json_line

Files = dict[str, str]
PARAMS: dict[str, Any] = {
    "topK": 5,
    "cutoffs": [1, 3],
    "hit_levels": {"min_keyword_coverage": 0.6, "primary_grain": "section"},
    "paths": {"fixture": {"dir": "data/fixtures/baseline", "relevance_floor": 0.5}},
    "thresholds": {"recall_at_k": 0.5, "max_not_run": 0, "max_error": 0, "max_unavailable": 0},
    "gate": {
        "max_strong_drops": 0,
        "max_regressions": 0,
        "max_losses": None,
        "max_removed": 0,
        "max_drop": {"recall_at_k": 1.0},
        "keep_last_strong": ["fault_type"],
        "group_floors": {},
        "unjudged_drops": "inconclusive",
        "inconclusive_exit_code": 3,
    },
}
# Case id: fault type, query, expected sections with their relevance, keywords, and the ranking.
CASES: dict[str, tuple[str | None, str, dict[str, int], list[str], list[str]]] = {
    "cache-hot-key": (
        "CACHE_BREAKDOWN",
        "热点 key 过期后数据库被打满",
        {"cache-breakdown#处置步骤": 2},
        ["互斥锁"],
        ["cache-breakdown#处置步骤", "cache-avalanche#现象", "db-pool#告警", "mq-backlog#常见原因", "faq#权限"],
    ),
    "cert-expired": (
        "CERT_EXPIRED",
        "网页提示证书不受信任",
        {"cert-expiry#更换步骤": 2},
        ["openssl"],
        [
            "faq#权限",
            "dns-coredns#现象",
            "db-pool#告警",
            "cache-avalanche#现象",
            "mq-backlog#常见原因",
            "obs#日志",
            "cert-expiry#更换步骤",
        ],
    ),
    "dns-resolve-fails": (
        "DNS_FAILURE",
        "Pod 里解析内部域名失败",
        {"dns-coredns#处置步骤": 2},
        ["coredns"],
        ["dns-coredns#现象", "dns-coredns#处置步骤", "obs#日志", "faq#权限", "db-pool#告警"],
    ),
    "dns-slow-outside": (
        "DNS_FAILURE",
        "访问外部接口每次慢五秒",
        {"dns-ndots#原因": 2},
        ["ndots"],
        ["dns-ndots#原因", "dns-ndots#修复", "dns-coredns#现象", "obs#日志", "faq#权限"],
    ),
    "mq-dead-letter": (
        "MQ_BACKLOG",
        "死信队列里的消息怎么重新投递",
        {"mq-dlq#重投": 2},
        ["重投"],
        ["mq-dlq#重投", "mq-backlog#常见原因", "obs#日志", "faq#权限", "db-pool#告警"],
    ),
    "mq-lag-rising": (
        "MQ_BACKLOG",
        "订单队列积压, consumer lag 持续上升",
        {"mq-backlog#核心指标": 2},
        ["records_lag_max"],
        ["mq-install#步骤", "mq-backlog#核心指标", "obs#日志", "faq#权限", "db-pool#告警", "mq-backlog#常见原因"],
    ),
    "mq-order-late": (
        "MQ_BACKLOG",
        "延迟消息没有按时到达",
        {"mq-delay#时间轮": 2},
        ["时间轮"],
        ["mq-install#步骤", "obs#日志", "faq#权限", "db-pool#告警", "mq-delay#时间轮", "mq-dlq#重投"],
    ),
    "none-weather": (None, "明天上海会下雨吗", {}, [], ["faq#权限"]),
}
WORDS = {
    "cache-breakdown#处置步骤": "用互斥锁重建缓存",
    "cert-expiry#更换步骤": "用 openssl 检查有效期",
    "dns-coredns#处置步骤": "重启 coredns 并看缓存",
    "dns-coredns#现象": "coredns 报错",
    "dns-ndots#原因": "ndots 为 5 时先查集群内",
    "dns-ndots#修复": "把 ndots 改为 2",
    "mq-dlq#重投": "用重投工具",
    "mq-backlog#核心指标": "看 records_lag_max",
    "mq-backlog#关键指标": "看 records_lag_max",
    "mq-delay#时间轮": "时间轮的精度是一秒",
}


class Project:
    """The files of one commit, edited by name; the report is made anew like `dvc repro` would."""

    def __init__(self) -> None:
        self.params = deepcopy(PARAMS)
        self.cases = deepcopy(CASES)
        self.scores: dict[str, list[float]] = {case: [0.9 - 0.1 * i for i in range(8)] for case in CASES}
        # Candidates 5 and 6 of one case have the same score: only their ids order them.
        self.scores["mq-order-late"][5] = self.scores["mq-order-late"][4]
        self.scores["none-weather"] = [0.2]
        self.arms = {"mq-lag-rising": {"mq-backlog#核心指标": {"bm25": 3, "milvus": 2}}}
        self.state: dict[str, Any] = {"path": "fixture", "status": "ready"}
        self.index: dict[str, Any] = {}
        self.extra: Files = {}

    def rank(self, case: str, *names: str) -> None:
        """Replace the ranking of a case."""
        self.cases[case] = (*self.cases[case][:4], list(names))

    def label(self, case: str, expected: dict[str, int]) -> None:
        """Replace the expectations of a case."""
        kept = self.cases[case]
        self.cases[case] = (kept[0], kept[1], expected, kept[3], kept[4])

    def files(self, folder: Path) -> Files:
        """Return path to text; `folder` is an empty one to score in."""
        found = {
            "params.yaml": yaml.safe_dump(self.params, sort_keys=False),
            "data/golden/chat.yaml": self._golden(None),
            "data/golden/alerts.yaml": self._golden("aiops_alert"),
            "data/fixtures/baseline/recording.json": dump_json(self.state),
            **{f"data/fixtures/baseline/{case}.json": self._recording(case) for case in self.cases},
            **self.extra,
        }
        return {**found, **_report(found, folder)}

    def _golden(self, scenario: str | None) -> str:
        cases = [
            _case(name, *row) for name, row in sorted(self.cases.items()) if (row[0] is None) == (scenario is None)
        ]
        head = {"scenario": scenario or "chat_lookup", "cases": cases}
        return yaml.safe_dump(head, sort_keys=False, allow_unicode=True)

    def _recording(self, case: str) -> str:
        query, ranking = self.cases[case][1], self.cases[case][4]
        scores = self.scores.get(case) or [0.9 - 0.1 * i for i in range(8)]
        arms = self.arms.get(case, {})
        provenance = {"arms": {"bm25": 8, "milvus": 8}, "origins": [_origin(n, ranks) for n, ranks in arms.items()]}
        return dump_json(
            {
                "case_id": case,
                "query": query,
                "top_k": 8,
                "candidates": [_candidate(i, name, scores[i]) for i, name in enumerate(ranking)],
                "provenance": provenance if arms else {},
                "index": self.index,
            }
        )


def _case(name: str, fault_type: str | None, query: str, expected: dict[str, int], keywords: list[str], _: Any) -> Any:
    documents = [
        {"doc_id": target.split("#")[0], "section": target.split("#")[1], "relevance": relevance}
        for target, relevance in expected.items()
    ]
    wanted = {"documents": documents, "evidence": {"keywords": keywords}} if documents else "none"
    return {"id": name, "query": query, **({"fault_type": fault_type} if fault_type else {}), "expected": wanted}


def _candidate(index: int, name: str, score: float) -> dict[str, Any]:
    document, section = name.split("#")
    content = WORDS.get(name, f"{document} 的 {section}")
    return {"rank": index + 1, "doc_id": document, "section": section, "chunk_id": name, "content": content,
            "score": round(score, 6)}  # fmt: skip


def _origin(name: str, ranks: dict[str, int]) -> dict[str, Any]:
    return {"chunk_id": name, "arms": ranks, "fused_rank": 1, "fused": 0.1, "rules": {}}


def _report(files: Files, folder: Path) -> Files:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    side = read_side(folder, None, "", "fixture")
    assert side
    yardstick = side.yardstick
    cases = list(side.cases.values())
    rankings = replay_path(cases, side.recordings, side.state, yardstick.top_k, yardstick.cutoffs)
    scored = score_path(cases, rankings, yardstick)
    return {
        "docs/retrieval-eval/baseline.json": dump_json(baseline_report(scored, [])),
        "docs/retrieval-eval/cases.jsonl": "".join(dump_json_line(case) for case in scored.cases),
    }


def _retriever(project: Project) -> None:
    project.rank("mq-lag-rising", "mq-install#步骤", "mq-backlog#常见原因", "obs#日志", "faq#权限", "db-pool#告警",
                 "mq-backlog#核心指标")  # fmt: skip
    project.arms["mq-lag-rising"] = {"mq-backlog#核心指标": {"bm25": 3}}


def _labels(project: Project) -> None:
    project.label("dns-slow-outside", {"dns-ndots#原因": 2, "dns-ndots#修复": 1, "dns-coredns#处置步骤": 1})


def _both(project: Project) -> None:
    _retriever(project)
    project.label("mq-lag-rising", {"mq-backlog#常见原因": 2})
    project.cases["mq-lag-rising"][3][:] = ["常见原因"]


def _top_k(project: Project) -> None:
    project.params["topK"] = 8


def _renamed(project: Project) -> None:
    for name, row in project.cases.items():
        project.rank(name, *(target.replace("核心指标", "关键指标") for target in row[4]))
    project.arms.clear()


def _removed(project: Project) -> None:
    del project.cases["mq-dead-letter"]


def _renewed(project: Project) -> None:
    project.index = {"version": 8}
    project.scores = {case: [score - 0.01 for score in scores] for case, scores in project.scores.items()}


def _tie(project: Project) -> None:
    project.rank("mq-order-late", "mq-install#步骤", "obs#日志", "faq#权限", "db-pool#告警", "mq-dlq#重投",
                 "mq-delay#时间轮")  # fmt: skip


def _new_type(project: Project) -> None:
    project.cases["jvm-heap-full"] = ("JVM_OOM", "服务重启前堆内存打满", {"jvm-oom#转储": 2}, ["jmap"],
                                      ["jvm-oom#转储", "obs#日志"])  # fmt: skip
    WORDS["jvm-oom#转储"] = "用 jmap 导出"


def _outage(project: Project) -> None:
    project.state = {"path": "fixture", "status": "unavailable", "code": "connection_refused",
                     "reason": "connection refused by search.example.org"}  # fmt: skip


def _clean(project: Project) -> None:
    project.extra["README.md"] = "nothing about retrieval\n"


EDITS = {
    "01-retriever": _retriever,
    "02-labels": _labels,
    "03-both": _both,
    "04-evaluator": _clean,
    "05-topk": _top_k,
    "06-section-renamed": _renamed,
    "07-case-removed": _removed,
    "08-renewed": _renewed,
    "09-tie": _tie,
    "10-new-fault-type": _new_type,
    "11-outage": _outage,
    "12-clean": _clean,
}


def old_evaluator(files: Files) -> Files:
    """Return the files with a report of an evaluator that found a first hit at rank 2 no hit at all."""
    lines = [json.loads(line) for line in files["docs/retrieval-eval/cases.jsonl"].splitlines()]
    for case in lines:
        if case["metrics"].get("average_first_hit_rank") == 2:
            case["level"] = "medium"
            case["metrics"] |= {"mrr": 0.0, "hit_at_k": 0.0, "average_first_hit_rank": None}
    return {**files, "docs/retrieval-eval/cases.jsonl": "".join(dump_json_line(case) for case in lines)}


def build(folder: Path) -> Path:
    """Make the bare repository with main, old-evaluator and one branch a pull request."""
    repository = folder / "repository.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(repository)], check=True)
    main = Project().files(_fresh(folder, "main"))
    stream = [_commit("main", main, None), _commit("old-evaluator", old_evaluator(main), "refs/heads/main")]
    for name, edit in EDITS.items():
        project = Project()
        edit(project)
        parent = "old-evaluator" if name == "04-evaluator" else "main"
        stream.append(_commit(name, project.files(_fresh(folder, name)), f"refs/heads/{parent}"))
    subprocess.run(["git", "-C", str(repository), "fast-import", "--quiet"], input="".join(stream).encode(), check=True)
    return repository


def _fresh(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def _commit(branch: str, files: Files, parent: str | None) -> str:
    who = "A <a@example.org> 1767225600 +0000"
    lines = [f"commit refs/heads/{branch}\ncommitter {who}\ndata 4\nedit\n", f"from {parent}\n" if parent else ""]
    lines.append("deleteall\n")
    for name, text in sorted(files.items()):
        lines.append(f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n")
    return "".join(lines) + "\n"
