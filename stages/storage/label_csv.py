"""The label queue as a spreadsheet, out and in."""

from collections.abc import Sequence
from pathlib import Path

from stages.records.label_decision import LabelDecision
from stages.records.label_item import LabelItem
from stages.records.problem import InputError, Problem
from stages.storage.csv_table import read_table, write_table

READ = ("case_id", "doc_id", "section", "relevance")
SHOWN = ("query", "title", "text", "paths", "swing", "level", "level_if_relevant")


def write_queue(path: Path, items: Sequence[LabelItem]) -> None:
    """Write the queue; a person fills in `relevance` (0 to 3) and leaves the rest."""
    write_table(path, (*READ, *SHOWN), map(_row, items))


def read_labels(path: Path) -> tuple[list[tuple[int, LabelDecision]], list[Problem], int]:
    """Return the decisions with their lines, the lines that were refused, and how many were left blank.

    Raises:
        InputError: no table with the columns case_id, doc_id, section and relevance.
    """
    table = read_table(path)
    missing = [name for name in READ if name not in table.columns]
    if missing:
        what = f"the table has no column {', '.join(missing)}"
        raise InputError([Problem(str(path), table.line, 0, "", what, "Export the queue anew and fill in relevance")])
    found: list[tuple[int, LabelDecision]] = []
    refused = list(table.faults.values())
    blank = 0
    for row in table.rows:
        cell = row.value["relevance"].strip()
        if row.line in table.faults:
            continue
        if not cell:
            blank += 1
        elif cell not in {"0", "1", "2", "3"}:
            what = f"relevance is {cell!r}, which is none of 0, 1, 2, 3"
            refused.append(row.problem(row.value["case_id"], what, "Write a whole grade"))
        else:
            found.append((row.line, _decision(row.value, int(cell))))
    return found, refused, blank


def _row(item: LabelItem) -> dict[str, str]:
    return {
        "case_id": item.case_id,
        "doc_id": item.doc_id,
        "section": item.section or "",
        "relevance": "",
        "query": item.query,
        "title": item.title or "",
        "text": item.content,
        "paths": ", ".join(f"{path} {rank}" for path, rank in item.paths.items()),
        "swing": f"{item.swing:.3f}",
        "level": item.level or "",
        "level_if_relevant": item.level_if_relevant or "",
    }


def _decision(row: dict[str, str], relevance: int) -> LabelDecision:
    return LabelDecision(
        case_id=row["case_id"], doc_id=row["doc_id"], section=row["section"] or None, relevance=relevance
    )
