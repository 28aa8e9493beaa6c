"""BM25 reproduces published and earlier figures on public collections, where they are at hand."""

import re
from pathlib import Path

import pytest

from benchmarks.bench_collections import beside, bm25_search, measured, runbook_tasks, scifact, tidb_tasks
from stages.records.params.bm25 import Bm25Params


@pytest.mark.slow
def test_scifact_equals_the_published_run(shared):
    values = scifact(shared / "data")
    assert values["ndcg@10"] == pytest.approx(0.6789, abs=0.002)
    assert values["recall@100"] == pytest.approx(0.9253, abs=0.001)
    assert values["recall@1000"] == pytest.approx(0.9767, abs=0.001)


def ndcg(task, identifier_parts):
    params = Bm25Params(k1=1.2, b=0.75, depth=100, identifier_parts=identifier_parts, index_fields=task.fields)
    return measured(task, bm25_search(task, params), ["ndcg@10"])["ndcg@10"]


def test_runbooks_are_found_as_well_as_measured_before(shared):
    """The earlier figures were made without splitting identifiers."""
    tasks = [*runbook_tasks(shared / "data"), *tidb_tasks(shared / "data")]
    known = {task.name: task.expected["bm25"] for task in tasks if task.expected}
    values = {task.name: ndcg(task, identifier_parts="tidb" in task.name) for task in tasks if task.expected}
    del known["tidb: alert name, without names"]
    assert {name: values[name] for name in known} == pytest.approx(known, abs=0.02)


def test_identifier_parts_find_english_names_in_chinese_runbooks(shared):
    task = next(
        task for task in runbook_tasks(shared / "data") if task.name == "kubesphere en-zh: sections with titles"
    )
    assert ndcg(task, identifier_parts=True) - ndcg(task, identifier_parts=False) > 0.2


@pytest.mark.slow
def test_the_page_shows_what_bm25_reaches_now(shared):
    """The columns of the dense arm are made with its model, some minutes long, and not here."""
    page = (Path(__file__).parents[2] / "docs/collections.md").read_text(encoding="utf-8")
    tasks = [*runbook_tasks(shared / "data"), *tidb_tasks(shared / "data")]
    shown = re.findall(r"^\| ((?:prom|kubesphere|tidb).*?) \| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
    assert shown == [
        (task.name, str(len(task.queries)), beside(ndcg(task, identifier_parts=True), task.expected.get("bm25")))
        for task in tasks
    ]
    values = scifact(shared / "data")
    assert re.findall(r"^\| (\S+) \| (0\.\d{4}) \| 0", page, re.MULTILINE) == [
        (name, f"{value:.4f}") for name, value in values.items()
    ]
