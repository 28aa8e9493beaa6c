"""The runbook evaluator's `rag_eval_cases.json`, in and out."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stages.records.golden import Expectation, GoldenCase, StructuredQuery
from stages.records.imported import Imported, ImportedCase
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.collect import collect_cases
from stages.storage.formats.golden_case import build_case, or_stand_in, require_scenario
from stages.storage.formats.labels import CorpusLookup, evidence_for
from stages.storage.formats.rows import Row, as_object, json_rows
from stages.storage.json_file import write_json

KNOWN = {"caseId", "scenarioCode", "query", "expected", "lang"}
LABEL = {"docId": "doc_id", "section": "section", "grade": "relevance", "relevance": "relevance"}
QUERY, METRIC = {"ruleResult", "metrics"}, {"component", "metricName", "metricValue", "metricUnit"}
JOIN = "; "
_WITH_UNIT = re.compile(r"(-?[0-9.]+) (\S+)")


def read_runbook(
    path: Path, corpus: CorpusLookup, scenario: str = "aiops_alert", query_fields: Sequence[str] = ()
) -> Imported:
    """Read cases; `query_fields` names the fields that make up the query where there is no `query`.

    `scenarioCode` in capitals is a fault type (`MQ_BACKLOG`), else the scenario (`chat_lookup`).

    Raises:
        InputError: no JSON, or no list of cases.
    """
    ids = CaseIds()

    def convert(row: Row) -> ImportedCase:
        return _convert(row, ids, corpus, scenario, query_fields)

    return collect_cases(json_rows(path), convert, ids.remarks)


def write_runbook(path: Path, cases: Iterable[ImportedCase]) -> list[str]:
    """Write cases; return what was lost, one sentence each."""
    lost: list[str] = []
    rows = [_row(item, lost) for item in cases]
    write_json(path, [row for row in rows if row])
    return lost


def _convert(row: Row, ids: CaseIds, corpus: CorpusLookup, scenario: str, query_fields: Sequence[str]) -> ImportedCase:
    value = as_object(row)
    case_id = ids.claim(value.get("caseId", value.get("id")), row)
    code = value.get("scenarioCode") or ""
    is_fault = bool(re.fullmatch(r"[A-Z][A-Z0-9_]*", str(code)))
    labels = _labels(row, case_id, value.get("expected"))
    evidence = or_stand_in(row, case_id, evidence_for(labels, corpus), labels, ids.remarks)
    case = build_case(
        row,
        case_id,
        {
            "query": _query(row, case_id, value, query_fields),
            "fault_type": code if is_fault else None,
            "lang": value.get("lang"),
            "expected": {"documents": labels, "evidence": evidence},
        },
    )
    for name in sorted({*(set(value) - KNOWN - set(query_fields) - {"id"}), *_unread(value.get("query"))}):
        ids.remarks.append(row.problem(case_id, f"the field {name!r} has no place in a case", "It is left out"))
    named = scenario if is_fault or not code else str(code)
    return ImportedCase(require_scenario(row, case_id, named), case)


def _labels(row: Row, case_id: str, expected: Any) -> list[dict[str, Any]]:
    if not isinstance(expected, list) or not expected:
        raise row.fail(case_id, "expected names no document", "Label it, or write a golden case with `expected: none`")
    labels = []
    for item in expected:
        unknown = sorted(set(item) - set(LABEL)) if isinstance(item, dict) else ["?"]
        if unknown:
            raise row.fail(case_id, f"expected holds {item!r}, which is no label", "Write docId and section")
        if {"grade", "relevance"} <= item.keys():
            raise row.fail(case_id, f"expected holds {item!r}, with two grades", "Keep one of the two")
        if any(not isinstance(item.get(key) or "", str) for key in ("docId", "section")):
            raise row.fail(case_id, f"expected holds {item!r}, whose ids are no texts", "Write docId and section")
        labels.append({LABEL[key]: value for key, value in item.items() if value not in (None, "")})
    return labels


def _query(row: Row, case_id: str, value: dict[str, Any], query_fields: Sequence[str]) -> Any:
    query = value.get("query")
    if query is None and query_fields:
        return "\n".join(str(value[name]) for name in query_fields if value.get(name))
    if not isinstance(query, dict):
        return query
    rule = query.get("ruleResult")
    if isinstance(rule, dict):
        rule = {key: _scalar(item) for key, item in rule.items() if item not in (None, "", [], {})}
    structured = {"rule_result": rule or None, "metrics": _metrics(row, case_id, query.get("metrics"))}
    if not any(structured.values()):
        raise row.fail(case_id, "the query holds neither ruleResult nor metrics", "Write a query")
    return {key: item for key, item in structured.items() if item}


def _unread(query: Any) -> list[str]:
    """The fields within a query that have no place in a case."""
    if not isinstance(query, dict):
        return []
    metrics = query.get("metrics")
    inner = {name for item in metrics for name in item} if isinstance(metrics, list) else set()
    return [f"query.{name}" for name in set(query) - QUERY] + [f"query.metrics.{name}" for name in inner - METRIC]


def _scalar(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return JOIN.join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _metrics(row: Row, case_id: str, metrics: Any) -> dict[str, Any]:
    if isinstance(metrics, dict) or not metrics:
        return metrics or {}
    found: dict[str, Any] = {}
    for item in metrics:
        if not isinstance(item, dict) or not {"metricName", "metricValue"} <= item.keys():
            what = f"metrics holds {item!r}, which has no metricName and metricValue"
            raise row.fail(case_id, what, "Give the metric a name and a value")
        name = "/".join(str(item[key]) for key in ("component", "metricName") if item.get(key))
        if name in found:
            raise row.fail(case_id, f"the metric {name!r} is given twice", "Keep one of the two")
        value, unit = item["metricValue"], item.get("metricUnit")
        found[name] = f"{value} {unit}" if unit else value
    return found


def _row(item: ImportedCase, lost: list[str]) -> dict[str, Any] | None:
    case = item.case
    if isinstance(case.expected, str):
        lost.append(f"case {case.id}: `expected: none` has no form there; the case is left out")
        return None
    for name, value in (("tags", case.tags), ("notes", case.notes), ("forbidden", case.expected.forbidden)):
        if value:
            lost.append(f"case {case.id}: {name} has no form there")
    lost.append(f"case {case.id}: evidence has no form there")
    return {
        "caseId": case.id,
        "scenarioCode": case.fault_type or item.scenario,
        "query": _query_row(case),
        "expected": [_label_row(case, label, lost) for label in case.expected.documents if _kept(case, label, lost)],
    }


def _kept(case: GoldenCase, label: Expectation, lost: list[str]) -> bool:
    if label.doc_id is not None and label.relevance > 0:
        return True
    why = "a label by title" if label.doc_id is None else "judged and wrong"
    lost.append(f"case {case.id}: {label.doc_id or label.label} ({why}) has no form there")
    return False


def _label_row(case: GoldenCase, label: Expectation, lost: list[str]) -> dict[str, Any]:
    if label.chunk_ids:
        lost.append(f"case {case.id}: the chunk ids of {label.doc_id} have no form there")
    row: dict[str, Any] = {"docId": label.doc_id, "section": label.section, "grade": label.relevance}
    if label.relevance == 1:
        del row["grade"]
    return {key: value for key, value in row.items() if value is not None}


def _query_row(case: GoldenCase) -> Any:
    if not isinstance(case.query, StructuredQuery):
        return case.query
    rule: Any = case.query.rule_result
    if isinstance(rule, dict):
        rule = {key: _list(key, value) for key, value in rule.items()}
    found: dict[str, Any] = {"ruleResult": rule} if rule else {}
    return {**found, "metrics": [_metric_row(name, value) for name, value in case.query.metrics.items()]}


def _list(key: str, value: Any) -> Any:
    return value.split(JOIN) if key in {"evidence", "suggestions"} and isinstance(value, str) else value


def _metric_row(name: str, value: Any) -> dict[str, Any]:
    component, _, metric = name.rpartition("/")
    row: dict[str, Any] = {"metricName": metric, "metricValue": value}
    if isinstance(value, str) and (match := _WITH_UNIT.fullmatch(value)):
        row |= {"metricValue": match[1], "metricUnit": match[2]}
    return {**row, "component": component} if component else row
