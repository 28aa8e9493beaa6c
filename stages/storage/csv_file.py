"""CSV for plots and spreadsheets."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.storage.json_file import DIGITS
from stages.storage.text_file import write_text


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows which share their keys; floats are rounded like everywhere, None is an empty cell."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    write_text(path, text.getvalue())


def _cell(value: object) -> object:
    return round(value, DIGITS) + 0.0 if isinstance(value, float) else value
