"""Text as it stands in its file, for those who change a few characters of it and nothing else."""

import re
from pathlib import Path

from stages.storage.text_file import read_text

LINE_END = re.compile(r"\r\n|\r|\n")


def read_exact(path: Path) -> str:
    """Return the text of a UTF-8 file with the byte order mark and the line ends that it has.

    Raises:
        InputError: as `read_text`.
    """
    read_text(path)
    return path.read_bytes().decode()


def line_end(text: str, start: int) -> tuple[int, int]:
    """From where to where the next line end goes; both the end of the text where there is none."""
    found = LINE_END.search(text, start)
    return found.span() if found else (len(text), len(text))


def line_break(text: str) -> str:
    """The line end that a text has; a line feed where it has none."""
    start, end = line_end(text, 0)
    return text[start:end] or "\n"
