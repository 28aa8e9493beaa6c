"""What the Markdown of the report on retrievers shows, in the order it shows it."""

from typing import Any

from stages.core.miss_reason import MISS_REASONS
from stages.core.retriever_comparison import MEASURES, leaders, p_words
from stages.core.section_label import shared_labels
from stages.records.retriever_report import FaultTypeRow, MissCase, RetrieverReport

STATUS_WORDS = {"ok": "ok", "degraded": "degraded", "failed": "**failed**", "not_run": "not run"}
RULE_WORDS = {
    "keywords": "Keywords",
    "section_titles": "Section titles",
    "metric_names": "Metric names and aliases",
    "query_construction": "Query construction",
    "rrf_k": "RRF k",
    "weights": "Weights",
    "top_k": "topK",
    "thin_fault_type": "Thin fault type",
    "hybrid_no_better": "Hybrid against its best arm",
}


def retriever_report_view(report: RetrieverReport) -> dict[str, Any]:
    """Return the values of the template `retrievers.md.j2`."""
    top_k = report.top_k
    labels = {"hit_at_k": f"hit@{top_k}", "recall_at_k": f"recall@{top_k}", "mrr": "MRR", "ndcg_at_k": f"nDCG@{top_k}"}
    return {
        "report": report,
        "measures": MEASURES,
        "labels": labels,
        "running": [row for row in report.retrievers if row.means],
        "asked": [row for row in report.retrievers if row.code != "not_asked"],
        "misses": {
            row.name: [miss for miss in report.misses if miss.retriever == row.name] for row in report.retrievers
        },
        "places": [_places(report, name) for name in report.comparison.compared],
        "shared_labels": shared_labels,
        "p_words": p_words,
        "reasons": MISS_REASONS,
        "status_words": STATUS_WORDS,
        "rule_words": RULE_WORDS,
    }


def _misses(report: RetrieverReport, retriever: str) -> list[MissCase]:
    return [miss for miss in report.misses if miss.retriever == retriever]


def _places(report: RetrieverReport, retriever: str) -> dict[str, Any]:
    """Return the fault types in which a retriever is first, and those in which it is last, with nobody beside it."""
    lowest = {row.fault_type: _last(row) for row in report.fault_types}
    return {
        "name": retriever,
        "first": [row.fault_type for row in report.fault_types if row.best_recall == (retriever,)],
        "last": [name for name, last in lowest.items() if last == (retriever,)],
    }


def _last(row: FaultTypeRow) -> tuple[str, ...]:
    return leaders({name: -means["recall_at_k"] for name, means in row.values.items()})
