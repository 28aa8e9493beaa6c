"""Print the headline of the committed baseline, and where the reports are.

Example: retrieval-eval summary

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
from pathlib import Path

from stages.records.baseline_report import BaselineReport
from stages.rendering.template import render
from stages.storage.json_file import dump_json
from stages.storage.record_file import read_record

DOCS = Path("docs/retrieval-eval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--reports", type=Path, default=DOCS, help=f"folder of the reports (default {DOCS})")
    parser.add_argument("--json", action="store_true", help="print the headline as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the headline table of `baseline.json`."""
    report = read_record(args.reports / "baseline.json", BaselineReport)
    if args.json:
        print(dump_json({"verdict": report.verdict, "overall": report.overall}), end="")
        return 0
    reports = sorted(path.as_posix() for path in args.reports.glob("*.md") if path.name != "README.md")
    fault_types = next(grouping.groups for grouping in report.groupings if grouping.by == "fault_type")
    print(render("summary.txt.j2", report=report, fault_types=fault_types, reports=reports), end="")
    return 0
