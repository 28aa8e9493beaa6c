"""Text of users and services as Markdown that shows it, whatever it holds."""

import re
import unicodedata

LIMIT = 300
_BREAK = "&#8203;"  # a zero-width space: parts a mention, a reference or an address without showing
_SPECIAL = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_PINGING = re.compile(r"(@(?=[\w\\])|[#!%](?=\d)|\$|\bGH-(?=\d)|:(?=[+\w\\-]+:))", re.IGNORECASE)
_ADDRESS = re.compile(r"(?i)(https?|ftp|mailto):|\bwww\.")
_LEADING = re.compile(r"^([-+=]|#{1,6}(?=\s|$)|\d+[.)](?=\s|$))")


def escape_cell(text: str | None, limit: int = LIMIT) -> str:
    """Return `text` for a table cell or a line: on one line, cut at `limit`, nothing in it is markup.

    HTML, code, emphasis, links, images, mentions, references, emoji codes and bare addresses are shown as written;
    characters which steer the direction of text or are invisible are shown by their code.
    """
    plain = _visible(text or "", limit)
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain = _SPECIAL.sub(lambda found: f"\\{found.group()}", plain)
    plain = _PINGING.sub(rf"\1{_BREAK}", plain)
    plain = _ADDRESS.sub(lambda found: f"{found.group()[:-1]}{_BREAK}{found.group()[-1]}", plain)
    return _LEADING.sub(lambda found: f"{found.group()[:-1]}\\{found.group()[-1]}", plain)


def code_span(text: str | None, limit: int = LIMIT) -> str:
    """Return `text` as a code span that also stands in a table cell; empty text gives an empty string."""
    plain = _visible(text or "", limit)
    if not plain:
        return ""
    ticks = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    pad = " " if plain[0] == "`" or plain[-1] == "`" else ""
    escaped = plain.replace("|", "\\|")
    return f"{ticks}{pad}{escaped}{pad}{ticks}"


def plain_line(text: str | None, limit: int = LIMIT) -> str:
    """Return `text` for a terminal: on one line, cut at `limit`, without a character that steers the terminal."""
    return _visible(text or "", limit)


def _visible(text: str, limit: int) -> str:
    line = " ".join(text[: limit * 4].split())
    shown = "".join(_shown(character) for character in line[: limit + 1])
    return shown if len(line) <= limit else f"{shown[: limit - 1]}…"


def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}
    return f"(U+{ord(character):04X})" if hidden else character
