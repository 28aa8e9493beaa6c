"""GitHub workflow commands: a message on a line of a file."""

from typing import Literal

from stages.rendering.markdown_text import plain_line

Kind = Literal["error", "warning", "notice"]
LONGEST = 1000


def annotation(kind: Kind, file: str, line: int, title: str, message: str) -> str:
    """Return one workflow command; nothing in the text can end it or start another."""
    place = f"file={_property(file)},line={line},title={_property(plain_line(title))}"
    return f"::{kind} {place}::{_data(plain_line(message, LONGEST))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
