"""Ways to take Chinese apart, by what BM25 then finds, as a Markdown table; decision record 11 draws on it.

    python benchmarks/bench_analysers.py [--data ../shared/data]

Columns: the shipped cases (nDCG@10 by section); and, where the public collections are at hand, TiDB alert
descriptions to handling steps (nDCG@10) and TiDB headings to their own text (MRR@10, headings with four or more Han
characters; a large set, but an easy kind of question).
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jieba

sys.path.insert(0, str(Path(__file__).parents[1]))

from stages.core.analyser import analyse
from stages.core.case_building import build_cases
from stages.core.han_words import han_words
from stages.core.scoring import score_queries
from stages.retrievers.bm25 import Bm25Index
from stages.storage.corpus import read_corpus
from stages.storage.golden import read_golden

ROOT = Path(__file__).parents[1]
HAN = range(0x4E00, 0xA000)
HEADING = 4
Cut = Callable[[str], list[str]]
Judgments = dict[str, dict[str, int]]


def pairs(text: str) -> list[str]:
    """Return overlapping pairs of characters."""
    return [text[start : start + 2] for start in range(len(text) - 1)] or [text]


def variants() -> dict[str, Cut]:
    """Return the ways to cut a run of Han characters that were considered."""
    plain = jieba.Tokenizer()
    plain.FREQ, plain.total = plain.gen_pfdict(plain.get_dict_file())
    plain.initialized = True
    return {
        "words and inner words, domain dictionary (shipped)": han_words,
        "words and inner words, general dictionary": lambda run: list(plain.cut_for_search(run, HMM=False)),
        "words, general dictionary": lambda run: list(plain.cut(run, HMM=False)),
        "words, with the hidden Markov model": lambda run: list(plain.cut(run)),
        "pairs": pairs,
        "characters and pairs": lambda run: [*run, *(pairs(run) if len(run) > 1 else [])],
        "shipped words and pairs": lambda run: list(dict.fromkeys([*han_words(run), *pairs(run)])),
    }


def mean(documents: dict[str, str], queries: dict[str, str], judgments: Judgments, measure: str) -> float:
    """Return the mean of one measure for BM25 (k1 1.2, b 0.75) over texts."""
    index = Bm25Index({name: analyse(text) for name, text in documents.items()}, 1.2, 0.75)
    rankings = {case: [name for name, _ in index.search(analyse(query), 100)] for case, query in queries.items()}
    scores = score_queries(judgments, rankings, [measure])
    return statistics.fmean(row[measure] or 0.0 for row in scores.values())


def shipped() -> float:
    """Return nDCG@10 by section on the cases of this repository."""
    chunks = read_corpus(ROOT / "data/corpus")
    documents = {
        chunk.chunk_id: "\n".join((chunk.title, *chunk.breadcrumb, *chunk.keywords, chunk.content)) for chunk in chunks
    }
    cases, _ = build_cases(read_golden([ROOT / "data/golden"]))
    judgments: Judgments = {}
    for case in cases:
        grades = {f"{e.doc_id}#{e.section}": e.relevance for e in case.expectations if e.section}
        if any(grade > 0 for grade in grades.values()):
            judgments[case.id] = grades
    return mean(documents, {case.id: case.query for case in cases if case.id in judgments}, judgments, "ndcg@10")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def handling(data: Path) -> float:
    """Return nDCG@10 from a description to the section that says what to do."""
    alerts = read(data / "tidb-alerts-zh/alerts.jsonl")
    documents = {alert["section"]: f"{alert['section']}\n{alert['handling']}" for alert in alerts}
    cases = read(data / "tidb-alerts-zh/cases_description_to_handling.jsonl")
    judgments = {case["caseId"]: {item["section"]: item["grade"] for item in case["expected"]} for case in cases}
    return mean(documents, {case["caseId"]: case["query"] for case in cases}, judgments, "ndcg@10")


def headings(data: Path) -> float:
    """Return MRR@10 from a heading to the text below it."""
    chunks = read(data / "tidb-alerts-zh/troubleshooting_chunks.jsonl")
    documents = {str(number): chunk["text"] for number, chunk in enumerate(chunks)}
    queries = {
        str(number): chunk["section"]
        for number, chunk in enumerate(chunks)
        if sum(ord(sign) in HAN for sign in chunk["section"]) >= HEADING
    }
    return mean(documents, queries, {number: {number: 1} for number in queries}, "rr@10")


def columns(data: Path) -> Sequence[tuple[str, Callable[[], float]]]:
    """Return the columns that can be measured here."""
    found = [("shipped cases", shipped)]
    if data.is_dir():
        found += [("TiDB handling", lambda: handling(data)), ("TiDB headings", lambda: headings(data))]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data", help="folder of the collections")
    found = columns(parser.parse_args().data)
    print(f"| Han text as | {' | '.join(name for name, _ in found)} | s |\n|---|{'---:|' * (len(found) + 1)}")
    for name, cut in variants().items():
        started = time.process_time()
        with patch("stages.core.analyser.han_words", cut):
            values = [measure() for _, measure in found]
        cells = " | ".join(f"{value:.3f}" for value in values)
        print(f"| {name} | {cells} | {time.process_time() - started:.1f} |", flush=True)


if __name__ == "__main__":
    main()
