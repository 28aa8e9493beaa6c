"""Every retriever on public collections with published or measured figures, as a Markdown table.

    python benchmarks/bench_collections.py [--data ../shared/data] [--only scifact] [--engines bm25,milvus,hybrid]

The collections are not part of this repository; without them it says so and ends. The dense arm needs the
extras `milvus` and `embed`, embeds on the first run (some minutes), and keeps the vectors under data/build.
docs/collections.md holds the last table and explains what differs from the expectations.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from stages.core.analyser import analyse
from stages.core.arm_answer import ArmAnswer
from stages.core.candidates import engine_candidates
from stages.core.hybrid import hybrid_recording
from stages.core.index_terms import chunk_terms
from stages.core.scoring import score_queries
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params
from stages.records.params.hybrid import HybridParams
from stages.records.params.rerank import RerankParams
from stages.retrievers.bm25 import Bm25Index
from stages.storage.corpus import read_corpus

ROOT = Path(__file__).parents[1]
DEPTH = 100
# Anserini, BM25 (k1 0.9, b 0.4) over title and text in one field.
PUBLISHED = {"ndcg@10": 0.6789, "recall@100": 0.9253, "recall@1000": 0.9767}
Search = Callable[[str], list[tuple[str, float]]]
Judgments = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Task:
    """Questions with graded answers over one corpus.

    Attributes:
        fields: What of a chunk is indexed.
        unit: What counts as found: the document or the chunk.
        expected: Engine to nDCG@10 as published or measured before, where somebody did.
    """

    name: str
    chunks: tuple[Chunk, ...]
    fields: tuple[str, ...]
    queries: dict[str, str]
    judgments: Judgments
    unit: Callable[[Chunk], str]
    expected: Mapping[str, float]


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def document(chunk: Chunk) -> str:
    """Count by document."""
    return chunk.doc_id


def section(chunk: Chunk) -> str:
    """Count by chunk, which is one section here."""
    return chunk.chunk_id


def runbook_tasks(data: Path) -> Iterator[Task]:
    """Alert to runbook: in English, and from English to Chinese. The alert's name is the file name, so also without."""
    sources = (
        ("prom", "prom-runbooks/cases.jsonl", "prom-runbooks/chunks.jsonl", ("summary", "description")),
        (
            "kubesphere en-zh",
            "kubesphere-runbooks/cases_en_query_to_zh_doc.jsonl",
            "kubesphere-runbooks/chunks_zh.jsonl",
            ("summary_en", "description_en"),
        ),
    )
    measured_before = (
        {"bm25": 0.918, "milvus": 0.879, "hybrid": 0.921},
        {"bm25": 0.700, "milvus": 0.830, "hybrid": 0.821},
    )
    for (name, questions, file, keys), expected in zip(sources, measured_before, strict=True):
        cases = rows(data / questions)
        queries = {case["caseId"]: " ".join(case[key] for key in keys if case[key]) for case in cases}
        judgments = {case["caseId"]: {item["docId"]: 1 for item in case["expected"]} for case in cases}
        chunks = read_corpus(data / file)
        for index, parts in (("sections", chunks), ("whole runbooks", whole(data / file))):
            for titles in (("title",), ()):
                what = f"{name}: {index} {'with' if titles else 'without'} titles"
                beside = expected if index == "whole runbooks" and not titles else {}
                yield Task(what, parts, (*titles, "section", "body"), queries, judgments, document, beside)


def whole(path: Path) -> tuple[Chunk, ...]:
    """Return each document as one chunk, its sections in their own order: an embedder reads no more than the start."""
    texts: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for row in rows(path):
        texts.setdefault(row["docId"], []).append(f"{row['section']}\n{row['text']}")
        titles[row["docId"]] = row["title"]
    return tuple(
        Chunk(chunk_id=doc_id, doc_id=doc_id, title=titles[doc_id], content="\n".join(parts))
        for doc_id, parts in sorted(texts.items())
    )


def tidb_tasks(data: Path) -> Iterator[Task]:
    """A description of a Chinese alert, or its name, to the section that says what to do."""
    chunks = tuple(
        Chunk(chunk_id=alert["section"], doc_id=alert["docId"], section=alert["section"], content=alert["handling"])
        for alert in rows(data / "tidb-alerts-zh/alerts.jsonl")
    )
    cases = rows(data / "tidb-alerts-zh/cases_description_to_handling.jsonl")
    graded = {case["caseId"]: {item["section"]: item["grade"] for item in case["expected"]} for case in cases}
    flat = {case: dict.fromkeys(grades, 1) for case, grades in graded.items()}
    described = {case["caseId"]: case["query"] for case in cases}
    named = {case["caseId"]: case["expected"][0]["section"] for case in cases}
    both = ("section", "body")
    before = {"bm25": 0.727, "milvus": 0.789, "hybrid": 0.779}
    yield Task("tidb: description, with names", chunks, both, described, graded, section, {})
    yield Task("tidb: the same, every grade as 1", chunks, both, described, flat, section, before)
    yield Task("tidb: description, without names", chunks, ("body",), described, graded, section, {})
    before = {"bm25": 0.357, "milvus": 0.462, "hybrid": 0.475}
    yield Task("tidb: alert name, without names", chunks, ("body",), named, graded, section, before)


def arm_of(found: Sequence[tuple[str, float]], chunks: Mapping[str, Chunk]) -> ArmAnswer:
    """Return an arm's answer as the hybrid takes it."""
    return ArmAnswer(engine_candidates(found, chunks, "score"))


def hybrid_search(arms: Mapping[str, Search], chunks: Mapping[str, Chunk], rules: bool) -> Search:
    """Return the shipped fusion (RRF, k 60, even weights), with or without the rule reranker."""
    hybrid = HybridParams.model_validate(
        {"method": "rrf", "rrf_k": 60, "depth": DEPTH, "weights": {"bm25": 1.0, "milvus": 1.0}}
    )
    rerank = RerankParams(enabled=rules, window=20, heading=0.2, identifier=0.2, intent=0.1)

    def search(query: str) -> list[tuple[str, float]]:
        answers = {name: arm_of(arm(query), chunks) for name, arm in arms.items()}
        recording = hybrid_recording("case", query, answers, hybrid, rerank)
        return [(str(item.chunk_id), item.score or 0.0) for item in recording.candidates]

    return search


def bm25_search(task: Task, params: Bm25Params) -> Search:
    """Return BM25 over the task's corpus."""
    index = Bm25Index({chunk.chunk_id: chunk_terms(chunk, params) for chunk in task.chunks}, params.k1, params.b)
    return lambda query: index.search(analyse(query, params.identifier_parts), params.depth)


def milvus_search(task: Task, bm25: Bm25Params, folder: Path, stack: ExitStack) -> Search:
    """Return Milvus Lite (FLAT, cosine) over the bundled multilingual embedder."""
    from stages.commands.milvus_arm import ArmParams, open_milvus_arm
    from stages.records.params.embedder import EmbedderParams
    from stages.records.params.milvus import MilvusParams

    milvus = MilvusParams.model_validate(
        {
            "uri": str(folder / "bench.db"),
            "token_env": None,
            "collection": "bench",
            "when_stale": "rebuild",
            "search": "dense",
            "filter": "",
            "depth": DEPTH,
            "timeout_s": 30,
            "index_fields": task.fields,
        }
    )
    params = ArmParams(milvus, EmbedderParams(threads=2, http=None), bm25)
    arm = stack.enter_context(open_milvus_arm(params, task.chunks))
    return lambda query: arm.search(query, DEPTH)


def measured(task: Task, search: Search, measures: Sequence[str]) -> dict[str, float]:
    """Return the mean of each measure; a document stands where its best chunk stands."""
    unit = {chunk.chunk_id: task.unit(chunk) for chunk in task.chunks}
    rankings = {
        case: list(dict.fromkeys(unit[chunk_id] for chunk_id, _ in search(query)))
        for case, query in task.queries.items()
    }
    scores = score_queries(task.judgments, rankings, measures)
    return {name: statistics.fmean(row[name] or 0.0 for row in scores.values()) for name in measures}


def print_retrievers(tasks: Sequence[Task], engines: Sequence[str]) -> None:
    """Print nDCG@10 of every engine on every task, each beside the expectation where there is one."""
    columns = [name for name in ("bm25", "milvus", "hybrid") if name in engines]
    columns += ["hybrid+rules"] if "hybrid" in engines else []
    print(f"| nDCG@10 | n | {' | '.join(columns)} |\n|---|---:|{'---:|' * len(columns)}", flush=True)
    for task in tasks:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            values = {
                name: measured(task, search, ["ndcg@10"])["ndcg@10"]
                for name, search in searches(task, engines, folder, stack)
            }
        cells = [beside(values[name], task.expected.get(name)) for name in columns]
        print(f"| {task.name} | {len(task.queries)} | {' | '.join(cells)} |", flush=True)


def searches(task: Task, engines: Sequence[str], folder: Path, stack: ExitStack) -> Iterator[tuple[str, Search]]:
    """Yield each engine that was asked for, ready to be asked."""
    params = Bm25Params.model_validate(
        {"k1": 1.2, "b": 0.75, "depth": DEPTH, "identifier_parts": True, "index_fields": task.fields}
    )
    arms = {"bm25": bm25_search(task, params)}
    if "milvus" in engines or "hybrid" in engines:
        arms["milvus"] = milvus_search(task, params, folder, stack)
    yield from arms.items()
    if "hybrid" in engines:
        chunks = {chunk.chunk_id: without_the_rest(chunk, task.fields) for chunk in task.chunks}
        yield "hybrid", hybrid_search(arms, chunks, rules=False)
        yield "hybrid+rules", hybrid_search(arms, chunks, rules=True)


def without_the_rest(chunk: Chunk, fields: Sequence[str]) -> Chunk:
    """Return the chunk without a title or section that is not indexed: the rules must not see the answer either."""
    hidden = {"title": "", "section": None}
    return chunk.model_copy(update={name: empty for name, empty in hidden.items() if name not in fields})


def beside(value: float, expected: float | None) -> str:
    """Return `.718 (.727)`: the value, and what was expected."""
    return f"{value:.3f}" if expected is None else f"{value:.3f} ({expected:.3f})"


def scifact(data: Path) -> dict[str, float]:
    """Return BM25's measures on SciFact, analysed and tuned as Anserini's run: k1 0.9, b 0.4, title and text."""
    folder = data / "scifact"
    judgments: Judgments = {}
    for line in (folder / "qrels_test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, doc_id, grade = line.split("\t")
        judgments.setdefault(query, {})[doc_id] = int(grade)
    queries = {row["_id"]: row["text"] for row in rows(folder / "queries_test.jsonl")}
    chunks = read_corpus(folder / "corpus.jsonl")
    task = Task("scifact", chunks, ("title", "body"), queries, judgments, document, {})
    params = Bm25Params.model_validate(
        {"k1": 0.9, "b": 0.4, "depth": 1000, "identifier_parts": False, "index_fields": task.fields}
    )
    return measured(task, bm25_search(task, params), list(PUBLISHED))


def print_scifact(data: Path) -> None:
    """Print BM25 on SciFact beside the published figures."""
    print("| SciFact, BM25 | measured | published |\n|---|---:|---:|")
    for name, value in scifact(data).items():
        print(f"| {name} | {value:.4f} | {PUBLISHED[name]:.4f} |")
    print(flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data", help="folder of the collections")
    parser.add_argument("--only", default="", help="only collections whose name begins so")
    parser.add_argument("--engines", default="bm25,milvus,hybrid", help="bm25, milvus, hybrid")
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"no collections in {args.data}: nothing measured", file=sys.stderr)
        return
    os.chdir(ROOT)
    if "scifact".startswith(args.only[:7]):
        print_scifact(args.data)
    tasks = [*runbook_tasks(args.data), *tidb_tasks(args.data)]
    chosen = [task for task in tasks if task.name.startswith(args.only)]
    if chosen:
        print_retrievers(chosen, args.engines.split(","))


if __name__ == "__main__":
    main()
