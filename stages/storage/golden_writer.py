"""Golden cases to YAML, in the layout in which people write it."""

import io
from collections.abc import Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from stages.records.golden import Expectation, GoldenCase, StructuredQuery

MODELINE = "# yaml-language-server: $schema=../../docs/retrieval-eval/schema/golden.schema.json\n"
QUOTED = ("query", "notes")


def round_trip() -> YAML:
    """Return the reader and writer that keeps comments, quotes and order."""
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def dump_golden(scenario: str, cases: Sequence[GoldenCase]) -> str:
    """Return a golden file with its modeline."""
    body = CommentedMap(scenario=scenario, cases=CommentedSeq(case_node(case) for case in cases))
    out = io.StringIO()
    round_trip().dump(body, out)
    return MODELINE + out.getvalue()


def dump_cases(cases: Sequence[GoldenCase]) -> str:
    """Return cases as they stand below `cases:`, to be appended to a golden file."""
    lines = dump_golden("x", cases).split("\n")
    return "\n".join(lines[lines.index("cases:") + 1 :])


def case_node(case: GoldenCase) -> CommentedMap:
    """Return a case as a YAML node: what is at its default is left out, labels and lists stand on one line."""
    node = CommentedMap(id=case.id, query=_query_node(case))
    for name in ("fault_type", "lang"):
        if value := getattr(case, name):
            node[name] = value
    node["expected"] = "none" if isinstance(case.expected, str) else _expected_node(case.expected.model_dump())
    if case.tags:
        node["tags"] = flow(case.tags)
    if case.notes:
        node["notes"] = DoubleQuotedScalarString(case.notes)
    return node


def label_node(label: Expectation) -> CommentedMap:
    """Return a label as one line: `{doc_id: mq-backlog, section: 核心指标, relevance: 2}`."""
    return _label_node(label.model_dump())


def flow(values: Sequence[Any]) -> CommentedSeq:
    """Return a list that is written on one line."""
    node = CommentedSeq(flow(value) if isinstance(value, (list, tuple)) else value for value in values)
    node.fa.set_flow_style()
    return node


def _query_node(case: GoldenCase) -> Any:
    if not isinstance(case.query, StructuredQuery):
        return DoubleQuotedScalarString(case.query)
    node = CommentedMap()
    rule = case.query.rule_result
    if rule is not None:
        node["rule_result"] = _flow_map(rule) if isinstance(rule, dict) else DoubleQuotedScalarString(rule)
    if case.query.metrics:
        node["metrics"] = _flow_map(case.query.metrics)
    return node


def _expected_node(expected: dict[str, Any]) -> CommentedMap:
    evidence = CommentedMap({name: flow(values) for name, values in expected["evidence"].items() if values})
    node = CommentedMap(documents=CommentedSeq(_label_node(label) for label in expected["documents"]))
    node["evidence"] = evidence
    if expected["forbidden"]:
        node["forbidden"] = flow(expected["forbidden"])
    return node


def _label_node(label: dict[str, Any]) -> CommentedMap:
    given = {key: value for key, value in label.items() if value not in (None, ()) and (key, value) != ("relevance", 1)}
    return _flow_map({key: flow(value) if isinstance(value, tuple) else value for key, value in given.items()})


def _flow_map(values: dict[str, Any]) -> CommentedMap:
    node = CommentedMap(values)
    node.fa.set_flow_style()
    return node
