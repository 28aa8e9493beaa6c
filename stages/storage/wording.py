"""Pydantic's complaints in this project's words."""

from collections.abc import Mapping
from typing import Any

LONGEST = 60

WORDS = {
    "missing": "{field} is missing",
    "extra_forbidden": "{field} is no known field",
    "string_type": "{field} is {value}, which is no text",
    "string_too_short": "{field} is empty",
    "string_pattern_mismatch": "{field} is {value}, which does not match {pattern}",
    "int_type": "{field} is {value}, which is no whole number",
    "int_parsing": "{field} is {value}, which is no whole number",
    "int_from_float": "{field} is {value}, which is no whole number",
    "float_type": "{field} is {value}, which is no number",
    "float_parsing": "{field} is {value}, which is no number",
    "bool_type": "{field} is {value}, which is neither true nor false",
    "bool_parsing": "{field} is {value}, which is neither true nor false",
    "finite_number": "{field} is {value}, which is not finite",
    "greater_than_equal": "{field} is {value}, which is less than {ge}",
    "greater_than": "{field} is {value}, which is not more than {gt}",
    "less_than_equal": "{field} is {value}, which is more than {le}",
    "less_than": "{field} is {value}, which is not less than {lt}",
    "literal_error": "{field} is {value}, which is none of {expected}",
    "tuple_type": "{field} is {value}, which is no list",
    "list_type": "{field} is {value}, which is no list",
    "dict_type": "{field} is {value}, which is no mapping",
    "model_type": "{field} is {value}, which is no mapping",
    "model_attributes_type": "{field} is {value}, which is no mapping",
    "scalar": "{field} is {value}, which is no text, finite number or truth value",
    "day": "{field} is {value}, which is no day such as 2026-01-31",
    "date_from_datetime_parsing": "{field} is {value}, which is no day such as 2026-01-31",
    "date_parsing": "{field} is {value}, which is no day such as 2026-01-31",
    "too_short": "{field} has no entry",
    "shared_folder": "{field}: {first} and {second} share the folder {folder}, and each would record over the other",
}


def complaint(fault: Mapping[str, Any], written: str | None = None) -> str:
    """Return one sentence (without its full stop) for one entry of `ValidationError.errors()`.

    `written` is how the value stands in its file, where that is another thing than the value: `0012` for 12.
    """
    field = field_name(fault["loc"]) or "the whole"
    value = as_written(fault["input"]) if written is None else cut(written)
    context = {name: _number(value) for name, value in fault.get("ctx", {}).items()}
    template = WORDS.get(fault["type"])
    if template is None:
        return f"{field} is {value}: {str(fault['msg']).removeprefix('Value error, ')}"
    return template.format(field=field, value=value, **context)


def _number(bound: Any) -> Any:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound


def field_name(location: tuple[str | int, ...]) -> str:
    """Return a location as a path such as `expected.documents[2].doc_id`."""
    name = ""
    for part in location:
        if isinstance(part, int):
            name += f"[{part + 1}]"
        elif not part.startswith(("[key]", "function-", "constrained-", "literal[", "union[", "tagged-")):
            name += f".{part}" if name else part
    return name


def as_written(value: Any) -> str:
    """Return a value as a person would write it, cut when long."""
    words = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    return cut(text)


def cut(text: str) -> str:
    """Return the text, cut when long."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
