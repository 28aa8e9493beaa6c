"""The text that is sent for a structured query."""

from collections.abc import Mapping

from stages.records.golden import StructuredQuery


def query_text(query: str | StructuredQuery) -> str:
    """Return the query as one line of text.

    A structured query becomes what the rule said, then each metric as `name=value`, in the order written, joined
    by blanks: `consumer lag high consumer_lag=128000 topic=order-events`. A rule result that is a mapping is
    written like the metrics. Whole numbers are written without a fraction, truth values as `true` and `false`.
    """
    if isinstance(query, str):
        return query
    result = query.rule_result
    head = _pairs(result) if isinstance(result, Mapping) else [result] if result else []
    return " ".join(" ".join([*head, *_pairs(query.metrics)]).split())


def _pairs(values: Mapping[str, object]) -> list[str]:
    return [f"{name}={_written(value)}" for name, value in values.items()]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
