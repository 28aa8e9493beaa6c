"""Filling a request template: `{{query}}` and friends, and `${NAME}` from the environment."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\{\{([A-Za-z_]+)\}\}")
VALUES = ("query", "topK", "case_id", "vector")


def fill(template: Any, values: Mapping[str, Any], environment: Mapping[str, str]) -> Any:
    """Return `template` with every placeholder in every text replaced, in one pass.

    A text which is a placeholder and nothing else becomes the value itself, so `"{{topK}}"` becomes the number 5;
    inside a longer text the value is written out. Keys are left alone, and so is an unknown `{{name}}`.
    """
    if isinstance(template, dict):
        return {key: fill(item, values, environment) for key, item in template.items()}
    if isinstance(template, list):
        return [fill(item, values, environment) for item in template]
    if not isinstance(template, str):
        return template
    whole = PLACE.fullmatch(template)
    if whole and whole[2] in values:
        return values[whole[2]]
    return _filled(template, values, environment, str)


def fill_url(template: str, values: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Return an address; values are percent-encoded, the environment's are taken as they are."""
    return _filled(template, values, environment, _quoted)


def fill_header(template: str, values: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Return a header; a query in it is percent-encoded, since a header holds neither Chinese nor line ends."""
    return _filled(template, values, environment, _quoted)


def environment_names(template: Any) -> set[str]:
    """Return the names of the environment variables that a template takes."""
    return {match[1] for match in _places(template) if match[1]}


def value_names(template: Any) -> set[str]:
    """Return the names in `{{...}}`, known or not."""
    return {match[2] for match in _places(template) if match[2]}


def _places(template: Any) -> Iterator[re.Match[str]]:
    if isinstance(template, str):
        yield from PLACE.finditer(template)
    elif isinstance(template, (dict, list, tuple)):
        for item in template.values() if isinstance(template, dict) else template:
            yield from _places(item)


def _filled(
    template: str, values: Mapping[str, Any], environment: Mapping[str, str], write: Callable[[Any], str]
) -> str:
    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return environment[match[1]]
        return write(values[match[2]]) if match[2] in values else match[0]

    return PLACE.sub(replace, template)


def _quoted(value: Any) -> str:
    return quote(str(value), safe="")
