"""The label queue as a spreadsheet, out and in."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from stages.records.label_decision import LabelDecision
from stages.records.label_item import LabelItem
from stages.records.problem import InputError, Problem
from stages.storage.text_file import read_text, write_text

READ = ("case_id", "doc_id", "section", "relevance")
SHOWN = ("query", "title", "text", "paths", "swing", "level", "level_if_relevant")
BOM = "\ufeff"


def write_queue(path: Path, items: Sequence[LabelItem]) -> None:
    """Write the queue; a person fills in `relevance` (0 to 3) and leaves the rest.

    It begins with a byte order mark, without which spreadsheets misread Chinese; text that a spreadsheet would
    take for a formula is written with an apostrophe in front.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, (*READ, *SHOWN), lineterminator="\n")
    writer.writeheader()
    writer.writerows(_row(item) for item in items)
    write_text(path, BOM + out.getvalue())


def read_labels(path: Path) -> tuple[list[tuple[int, LabelDecision]], list[Problem], int]:
    """Return the decisions with their lines, the lines that were refused, and how many were left blank.

    Raises:
        InputError: no table with the columns case_id, doc_id, section and relevance.
    """
    text = read_text(path)
    header = text.split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=header.count), restval="")
    missing = [name for name in READ if name not in (reader.fieldnames or ())]
    if missing:
        what = f"the table has no column {', '.join(missing)}"
        raise InputError([Problem(str(path), 1, 0, "", what, "Export the queue anew and fill in relevance")])
    found: list[tuple[int, LabelDecision]] = []
    refused: list[Problem] = []
    blank = 0
    for row in reader:
        cell = row["relevance"].strip()
        if not cell:
            blank += 1
        elif cell not in {"0", "1", "2", "3"}:
            what = f"relevance is {cell!r}, which is none of 0, 1, 2, 3"
            refused.append(Problem(str(path), reader.line_num, 0, row["case_id"], what, "Write a whole grade"))
        else:
            found.append((reader.line_num, _decision(row, int(cell))))
    return found, refused, blank


def _row(item: LabelItem) -> dict[str, str]:
    return {
        "case_id": item.case_id,
        "doc_id": item.doc_id,
        "section": item.section or "",
        "relevance": "",
        "query": _harmless(item.query),
        "title": _harmless(item.title or ""),
        "text": _harmless(item.content),
        "paths": ", ".join(f"{path} {rank}" for path, rank in item.paths.items()),
        "swing": f"{item.swing:.3f}",
        "level": item.level or "",
        "level_if_relevant": item.level_if_relevant or "",
    }


def _harmless(text: str) -> str:
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _decision(row: dict[str, str], relevance: int) -> LabelDecision:
    return LabelDecision(
        case_id=row["case_id"], doc_id=row["doc_id"], section=row["section"] or None, relevance=relevance
    )
