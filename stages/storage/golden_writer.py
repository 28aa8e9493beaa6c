"""Golden cases to YAML, in the layout in which people write it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.records.golden import Expectation, Expected, GoldenCase, StructuredQuery
from stages.storage.modeline import modeline
from stages.storage.yaml_text import flow_text, quoted_text, scalar_text


def new_golden(path: Path, scenario: str, cases: Sequence[GoldenCase]) -> str:
    """Return a golden file to be written at `path`, with the line that names its schema."""
    return modeline(path, "golden") + dump_golden(scenario, cases)


def dump_golden(scenario: str, cases: Sequence[GoldenCase]) -> str:
    """Return the content of a golden file."""
    return f"scenario: {scenario}\ncases:\n" + "".join(dump_case(case) for case in cases)


def dump_case(case: GoldenCase) -> str:
    """Return one case as it stands below `cases:`; what is at its default is left out."""
    lines = [f"- id: {scalar_text(case.id)}", *_query_lines(case)]
    lines += [f"  {name}: {scalar_text(value)}" for name in ("fault_type", "lang") if (value := getattr(case, name))]
    lines += _expected_lines(case.expected) if isinstance(case.expected, Expected) else ["  expected: none"]
    if case.tags:
        lines.append(f"  tags: {flow_text(case.tags)}")
    if case.notes:
        lines.append(f"  notes: {quoted_text(case.notes)}")
    return "".join(f"  {line}\n" for line in lines)


def label_fields(label: Expectation) -> dict[str, Any]:
    """Return what is written of a label: neither what is not given nor the default relevance."""
    given = label.model_dump(exclude_none=True)
    return {key: value for key, value in given.items() if value != () and (key, value) != ("relevance", 1)}


def _query_lines(case: GoldenCase) -> list[str]:
    if not isinstance(case.query, StructuredQuery):
        return [f"  query: {quoted_text(case.query)}"]
    lines = ["  query:"]
    rule = case.query.rule_result
    if rule is not None:
        lines.append(f"    rule_result: {flow_text(rule) if isinstance(rule, Mapping) else quoted_text(rule)}")
    if case.query.metrics:
        lines.append(f"    metrics: {flow_text(case.query.metrics)}")
    return lines


def _expected_lines(expected: Expected) -> list[str]:
    evidence = expected.evidence
    lines = ["  expected:", "    documents:"]
    lines += [f"      - {flow_text(label_fields(label))}" for label in expected.documents]
    seen = [f"      {name}: {flow_text(values)}" for name, values in evidence if values]
    lines += ["    evidence:", *seen] if seen else ["    evidence: {}"]
    if expected.forbidden:
        lines.append(f"    forbidden: {flow_text(expected.forbidden)}")
    return lines
