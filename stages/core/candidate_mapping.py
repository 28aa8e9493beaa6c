"""From one item of an answer to one candidate."""

import json
import math
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

from stages.core.answer_reading import keys_of
from stages.core.score_label import score_label
from stages.records.recording import Candidate
from stages.records.service_answer import Answer, Fields
from stages.records.services import Score


class MappingError(Exception):
    """An item which a mapping cannot make into a candidate; the text says why."""


def to_candidates(items: tuple[Any, ...], mapping: Answer, score: Score | None) -> tuple[Candidate, ...]:
    """Return the candidates in the order of the items, which is their rank.

    Raises:
        MappingError: a field finds something which it cannot be, or an item has no name at all.
    """
    return tuple(_candidate(item, rank, mapping, score) for rank, item in enumerate(items, 1))


def found_fields(item: Any, mapping: Answer) -> dict[str, Any]:
    """Return what each expression of the mapping finds in an item, None where it finds nothing.

    Raises:
        MappingError: an expression does not fit the item.
    """
    decoded = _decoded(item, mapping.json_strings)
    expressions = {name: expression for name, expression in mapping.fields if expression}
    together = ", ".join(f"{name}: {expression}" for name, expression in expressions.items())
    try:
        found = jmespath.search(f"{{{together}}}", decoded)
    except JMESPathError:
        found = _one_by_one(expressions, decoded)
    return dict.fromkeys(Fields.model_fields) | (found or {})


def _one_by_one(expressions: Mapping[str, str], item: Any) -> dict[str, Any]:
    """Search each expression on its own, so that the one which does not fit is named."""
    found: dict[str, Any] = {}
    for name, expression in expressions.items():
        try:
            found[name] = jmespath.search(expression, item)
        except JMESPathError as error:
            raise MappingError(f"{name} `{expression}` does not fit: {str(error).splitlines()[0]}") from None
    return found


def _candidate(item: Any, rank: int, mapping: Answer, score: Score | None) -> Candidate:
    try:
        found = found_fields(item, mapping)
        values: dict[str, Any] = {
            name: _text(name, value) for name, value in found.items() if name not in {"breadcrumb", "score"}
        }
        values["breadcrumb"] = _breadcrumb(found["breadcrumb"], mapping.breadcrumb_separator)
        values["score"] = _number(found["score"])
    except MappingError as error:
        raise MappingError(f"result {rank}: {error}") from None
    if mapping.doc_id_from_path and values["doc_id"]:
        values["doc_id"] = PurePosixPath(values["doc_id"].replace("\\", "/")).stem
    if not any(values[name] for name in ("doc_id", "chunk_id", "title", "source", "content")):
        raise MappingError(f"result {rank}: no field finds anything in {keys_of(item)}")
    if values["score_label"] is None and score is not None:
        values["score_label"] = score_label(values["score"], score)
    return Candidate(rank=rank, **values)


def _decoded(item: Any, json_strings: tuple[str, ...]) -> Any:
    for dotted in json_strings:
        item = _with_decoded(item, dotted.split("."), dotted)
    return item


def _with_decoded(item: Any, keys: list[str], dotted: str) -> Any:
    if not keys:
        try:
            return json.loads(item) if isinstance(item, str) and item else item
        except (ValueError, RecursionError):
            raise MappingError(f"{dotted} is a text, but no JSON") from None
    if not isinstance(item, dict) or keys[0] not in item:
        return item
    return {**item, keys[0]: _with_decoded(item[keys[0]], keys[1:], dotted)}


def _text(name: str, value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise MappingError(f"{name} finds {keys_of(value)}, not a text")


def _breadcrumb(value: Any, separator: str | None) -> tuple[str, ...]:
    if isinstance(value, str) and separator:
        value = value.split(separator)
    parts = value if isinstance(value, list) else [value]
    texts = (_text("breadcrumb", part) for part in parts)
    return tuple(text.strip() for text in texts if text and text.strip())


def _number(value: Any) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = float(value) if isinstance(value, (int, float, str)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        seen = repr(value) if isinstance(value, (str, float)) else keys_of(value)
        raise MappingError(f"score finds {seen}, not a number")
    return round(number, 6) + 0.0
