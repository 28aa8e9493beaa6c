"""A small project folder with golden cases and a service on loopback, and the command line run within this process."""

import json
import sys
from pathlib import Path
from typing import Any

import yaml

from stages.__main__ import main

PARAMS = {
    "topK": 2,
    "cutoffs": [1],
    "hit_levels": {"min_keyword_coverage": 0.6, "primary_grain": "document"},
    "paths": {
        "fixture": {"dir": "data/fixtures/baseline", "relevance_floor": None},
        "sidecar": {"dir": "data/fixtures/sidecar", "relevance_floor": None},
        "live": {"dir": "data/fixtures/live", "relevance_floor": None},
    },
}
SERVICE = {
    "request": {"url": "${RAG_URL}/search", "body": {"q": "{{query}}", "k": "{{topK}}", "id": "{{case_id}}"}},
    "answer": {
        "items": "hits",
        "ok_when": "ok",
        "message": "message",
        "partial_when": "partial",
        "fields": {"doc_id": "doc", "chunk_id": "id", "title": "title", "content": "text", "score": "score"},
        "index": {"version": "index.version"},
    },
    "limits": {"attempts": 1, "read_seconds": 2, "total_seconds": 3, "connect_seconds": 1, "give_up_after": 3},
}


class Project:
    """Files of one project; `run` calls the command line there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write_yaml("params.yaml", PARAMS)

    def write_yaml(self, name: str, value: Any) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump(value, allow_unicode=True, sort_keys=False), "utf-8")

    def cases(self, count: int, **more: Any) -> None:
        cases = [
            {
                "id": f"case-{number:03d}",
                "query": f"问题 {number}",
                "expected": {"documents": [{"doc_id": f"doc-{number}"}], "evidence": {"keywords": ["answer"]}},
                "tags": ["even" if number % 2 == 0 else "odd"],
                **more,
            }
            for number in range(count)
        ]
        self.write_yaml("data/golden/cases.yaml", {"scenario": "chat_lookup", "cases": cases})

    def service(self, path: str = "sidecar", **changes: Any) -> None:
        self.write_yaml("services.yaml", {"services": {path: SERVICE | changes}})

    def run(self, monkeypatch, *arguments: str) -> int:
        monkeypatch.chdir(self.root)
        monkeypatch.setattr(sys, "argv", ["retrieval-eval", *arguments])
        return main()

    def state(self, path: str = "sidecar") -> dict[str, Any]:
        return json.loads((self.root / "data/fixtures" / path / "recording.json").read_text("utf-8"))

    def recorded(self, path: str = "sidecar") -> dict[str, Any]:
        files = (self.root / "data/fixtures" / path).glob("case-*.json")
        return {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(files)}


def hits(asked: Any, version: str = "1") -> dict[str, Any]:
    """Return what a service of the kind of `SERVICE` answers."""
    number = asked.json["id"].removeprefix("case-").lstrip("0") or "0"
    found = {"doc": f"doc-{number}", "id": f"c{number}", "title": "T", "text": "the answer", "score": 0.5}
    return {"ok": True, "hits": [found], "index": {"version": version}}
