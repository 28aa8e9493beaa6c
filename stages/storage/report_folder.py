"""A folder of reports, as `report` and `evaluate --output` write it."""

from pathlib import Path

from stages.records.baseline_report import BaselineReport
from stages.records.problem import InputError, Problem
from stages.records.scored import METRIC_SEMANTICS, ScoredCase
from stages.storage.json_file import read_json_lines
from stages.storage.record_file import read_record, to_record

SUMMARY = "baseline.json"
CASES = "cases.jsonl"


def is_report(path: Path) -> bool:
    """Whether a path is a folder of reports, or one of its files."""
    folder = path if path.is_dir() else path.parent
    return path.exists() and (folder / CASES).is_file() and (path.is_dir() or path.name in {SUMMARY, CASES})


def read_report(path: Path) -> tuple[BaselineReport, list[ScoredCase]]:
    """Return summary and cases of a folder of reports, or of the folder of one of its files.

    Raises:
        InputError: a file is missing or not of this version, or the metric semantics are not the present ones.
    """
    folder = path if path.is_dir() else path.parent
    summary = read_record(folder / SUMMARY, BaselineReport)
    if summary.metric_semantics != METRIC_SEMANTICS:
        what = f"the report is of metric semantics {summary.metric_semantics}, not {METRIC_SEMANTICS}"
        remedy = "Numbers of two semantics are not compared: score the inputs anew"
        raise InputError([Problem(str(folder / SUMMARY), 0, 0, "", what, remedy)])
    lines = read_json_lines(folder / CASES)
    return summary, [to_record(value, ScoredCase, str(folder / CASES), line) for line, value in lines]
