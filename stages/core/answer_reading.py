"""From the status and the JSON of an answer to its items, or to the reason why there are none."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

import jmespath
from jmespath.exceptions import JMESPathError

from stages.records.service_answer import Answer

TOO_MANY_REQUESTS = 429


@dataclass(frozen=True)
class Reading:
    """What an answer amounts to.

    Attributes:
        state: `partial` has items which are not the whole truth; `error` and `unavailable` have none.
        code: The reason code of everything but `ok`.
        reason: The reason in a sentence, without its full stop; it quotes the service and is to be redacted.
        items: The results in their order.
    """

    state: Literal["ok", "partial", "error", "unavailable"]
    code: str | None = None
    reason: str | None = None
    items: tuple[Any, ...] = ()


def read_answer(status: int, answer: Any, mapping: Answer) -> Reading:
    """Apply the envelope of a mapping: status, ok_when, items or columns, partial_when."""
    message = _message(answer, mapping)
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return _bad_status(status, message)
    try:
        items, missing = _items(answer, mapping)
        if mapping.ok_when and jmespath.search(mapping.ok_when, answer) is not True:
            return _not_ok(answer, mapping, message, missing)
        if missing:
            return Reading("error", "bad_answer", _sentence(missing, message))
        if mapping.partial_when and jmespath.search(mapping.partial_when, answer) not in (False, None):
            return Reading(
                "partial", "partial", _sentence(f"partial_when ({mapping.partial_when}) is true", message), items
            )
    except JMESPathError as error:
        return Reading("error", "bad_answer", f"an expression does not fit the answer: {error}")
    return Reading("ok", items=items)


def keys_of(value: Any) -> str:
    """Say what a JSON value is, with its keys, for a sentence."""
    if isinstance(value, dict):
        keys = ", ".join(sorted(map(str, value))[:20])
        return f"an object with the keys {keys}" if keys else "an empty object"
    names = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _message(answer: Any, mapping: Answer) -> str | None:
    try:
        found = jmespath.search(mapping.message, answer) if mapping.message else None
    except JMESPathError:
        return None
    if found in (None, ""):
        return None
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _sentence(what: str, message: str | None) -> str:
    return f"{what}; the service says: {message}" if message else what


def _bad_status(status: int, message: str | None) -> Reading:
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
    down = status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == TOO_MANY_REQUESTS
    what = f"the service answered {status} {phrase}".rstrip()
    return Reading("unavailable" if down else "error", f"http_{status}", _sentence(what, message))


def _not_ok(answer: Any, mapping: Answer, message: str | None, missing: str | None) -> Reading:
    what = f"ok_when ({mapping.ok_when}) is not true of {keys_of(answer)}"
    return Reading("error", "service_error", _sentence(f"{what}, and {missing}" if missing else what, message))


def _items(answer: Any, mapping: Answer) -> tuple[tuple[Any, ...], str | None]:
    if mapping.columns is not None:
        return _rows(answer, mapping.columns, mapping.empty_when_missing)
    found = jmespath.search(mapping.items or "@", answer)
    if isinstance(found, list):
        return tuple(found), None
    if found is None and mapping.empty_when_missing and isinstance(answer, dict):
        return (), None
    return (), f"items `{mapping.items}` finds {'nothing' if found is None else keys_of(found)} in {keys_of(answer)}"


def _rows(answer: Any, columns: dict[str, str], empty_when_missing: bool) -> tuple[tuple[Any, ...], str | None]:
    """Turn columns into rows; a column which is null has nothing to say, and the others must be equally long."""
    found = {name: jmespath.search(expression, answer) for name, expression in columns.items()}
    lists = {name: column for name, column in found.items() if column is not None}
    wrong = [name for name, column in lists.items() if not isinstance(column, list)]
    if wrong:
        return (), f"column {wrong[0]} `{columns[wrong[0]]}` finds {keys_of(lists[wrong[0]])}, not a list"
    if not lists:
        missing = None if empty_when_missing else f"no column finds anything in {keys_of(answer)}"
        return (), missing
    lengths = {name: len(column) for name, column in lists.items()}
    if len(set(lengths.values())) > 1:
        return (), "columns differ in length: " + ", ".join(f"{name} {length}" for name, length in lengths.items())
    return tuple(dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)), None
