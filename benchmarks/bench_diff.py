"""What `diff` costs on 1,000 cases, beside importing what it needs and reading the files of both sides.

    python benchmarks/bench_diff.py [ROUNDS]

Two commits of a bare repository: 30 candidates a case; the second commit renews a tenth of the recordings, edits a
hundredth of the cases, and changes topK. Medians, measured in turns; the last column is the demand's: less than 3.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
CASES = 1000
DEPTH = 30
IMPORT = "import stages.commands.diff"
READ = """
from pathlib import Path
from stages.commands import diff
from stages.commands.review_side import read_side
from stages.storage.git_objects import resolve_commit
for name in ("old", "new"):
    read_side(Path(), resolve_commit(Path(), name), name, "fixture")
"""


def main() -> None:
    """Print a table of medians."""
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder) / "repository.git"
        subprocess.run(["git", "init", "-q", "--bare", str(repository)], check=True)
        stream = _commit("old", None, changed=False) + _commit("new", "refs/heads/old", changed=True)
        subprocess.run(["git", "-C", str(repository), "fast-import", "--quiet"], input=stream.encode(), check=True)
        calls = {
            "import": ["-c", IMPORT],
            "import and read": ["-c", READ],
            "diff": ["-m", "stages", "diff", "old", "new", "--json"],
        }
        times: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(ROUNDS):
            for name, call in calls.items():
                times[name].append(_timed(repository, call))
    found = {name: statistics.median(values) for name, values in times.items()}
    ratio = found["diff"] / found["import and read"]
    print("| cases | import | import and read | diff | diff / (import and read) |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    print(f"| {CASES} | " + " | ".join(f"{seconds:.2f} s" for seconds in found.values()) + f" | {ratio:.2f} |")


def _timed(folder: Path, call: list[str]) -> float:
    start = time.perf_counter()
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    subprocess.run([sys.executable, *call], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _commit(branch: str, parent: str | None, *, changed: bool) -> str:
    who = "A <a@example.org> 1767225600 +0000"
    lines = [f"commit refs/heads/{branch}\ncommitter {who}\ndata 4\nedit\n", f"from {parent}\n" if parent else ""]
    for name, text in _files(changed).items():
        lines.append(f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n")
    return "".join(lines) + "\n"


def _files(changed: bool) -> dict[str, str]:
    params = (ROOT / "params.yaml").read_text(encoding="utf-8")
    found = {"params.yaml": params.replace("topK: 5", "topK: 6") if changed else params}
    for first in range(0, CASES, 25):
        cases = "".join(_case(number, changed) for number in range(first, min(first + 25, CASES)))
        found[f"data/golden/part-{first:04}.yaml"] = f"scenario: aiops_alert\ncases:\n{cases}"
    found["data/fixtures/baseline/recording.json"] = '{"path": "fixture", "status": "ready"}'
    for number in range(CASES):
        found[f"data/fixtures/baseline/case-{number:04}.json"] = json.dumps(
            _recording(number, changed), ensure_ascii=False
        )
    return found


def _case(number: int, changed: bool) -> str:
    relevance = 1 if changed and number % 100 == 0 else 2
    return f"""  - id: case-{number:04}
    query: "订单队列积压, consumer lag 持续上升 {number}"
    fault_type: TYPE_{number % 20}
    lang: zh
    expected:
      documents:
        - {{doc_id: doc-{number}, section: 核心指标, relevance: {relevance}}}
        - {{doc_id: doc-{number}, section: 常见原因}}
        - {{doc_id: doc-{number + 1}, section: 核心指标, relevance: 0}}
      evidence:
        keywords: [consumer lag, 堆积 {number}]
        breadcrumbs: [[消息队列, 手册 {number}, 核心指标]]
    tags: [paraphrase]
"""


def _recording(number: int, changed: bool) -> dict[str, Any]:
    sections = ["核心指标", "常见原因", "排查步骤"]
    found = [(f"doc-{number + offset // 3}", sections[offset % 3]) for offset in range(DEPTH)]
    turn = number % 7 + (3 if changed and number % 10 == 0 else 0)
    found = found[turn:] + found[:turn]
    return {
        "case_id": f"case-{number:04}",
        "query": f"订单队列积压, consumer lag 持续上升 {number}",
        "top_k": DEPTH,
        "candidates": [
            {"rank": rank, "doc_id": document, "title": document, "section": section, "score": 1 / rank,
             "chunk_id": f"{document}#{section}", "breadcrumb": ["消息队列", document, section],
             "content": f"consumer lag 堆积 {number} 的处理步骤，先看指标再看日志。" * 5}
            for rank, (document, section) in enumerate(found, 1)
        ],
    }  # fmt: skip


if __name__ == "__main__":
    main()
