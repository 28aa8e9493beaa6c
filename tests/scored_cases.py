"""Scored cases for tests: only what the test is about is said."""

from typing import Any

from stages.records.scored import ScoredCase

RANK_OF_LEVEL = {"strong": 1, "medium": 1, "miss": None}


def scored_case(case_id: str, level: str | None = "strong", **fields: Any) -> ScoredCase:
    """Return a case with a level (None: not run), and metrics that fit it unless `metrics` says otherwise."""
    hit = float(level in {"strong", "medium"})
    rank = RANK_OF_LEVEL.get(level or "")
    metrics = {"hit_at_k": hit, "recall_at_k": hit, "average_first_hit_rank": rank} if level else {}
    values: dict[str, Any] = {
        "case_id": case_id,
        "scenario": "aiops_alert",
        "fault_type": "MQ_BACKLOG",
        "lang": "zh",
        "tags": (),
        "query": f"query of {case_id}",
        "answerable": True,
        "state": "ok" if level else "not_run",
        "code": None,
        "reason": None,
        "degraded": None,
        "level": level,
        "first_expected_rank": rank,
        "keyword_coverage": None,
        "expectations": (),
        "failed_checks": (),
        "false_positives": None,
        "top": (),
        "metrics": metrics,
    }
    return ScoredCase.model_validate(values | fields)
