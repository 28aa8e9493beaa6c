"""Jinja2 templates beside this file: HTML is escaped by itself, Markdown by filters that make any text safe."""

import json
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from stages.rendering.markdown_text import code_span, escape_cell, plain_line

NOTHING = "–"
FEW = 3


def render(template: str, **values: object) -> str:
    """Return the rendered template; an undefined name is an error, never an empty place."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=".html." in template,  # noqa: S701 (Markdown is made safe by the filters below)
    )
    environment.filters.update(cell=escape_cell, code=code_span, number=number, count=count)
    environment.filters.update(line=plain_line, signed=signed, data=data, few=few)
    return environment.get_template(template).render(**values)


def number(value: float | None) -> str:
    """Return a value with three decimals, or a dash where there is none."""
    return NOTHING if value is None else f"{value:.3f}"


def count(value: float | None) -> str:
    """Return a whole number, or a dash where there is none."""
    return NOTHING if value is None else f"{value:.0f}"


def data(value: object) -> str:
    """Return text as it is, and everything else as JSON on one line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def few(cases: Sequence[str]) -> str:
    """Return the first three case ids, and how many more there are."""
    more = len(cases) - FEW
    return ", ".join(cases[:FEW]) + (f" and {more} more" if more > 0 else "")


def signed(value: float | None) -> str:
    """Return a change with its sign and three decimals, 0 for none, or a dash where it is not known."""
    if value is None:
        return NOTHING
    return f"{value:+.3f}" if round(value, 3) else "0" if not value else f"{value:+.6f}"
