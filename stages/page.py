"""DVC stage `page`: the baseline as one self-contained HTML page, for looking around."""

import sys
from pathlib import Path

from stages.core.baseline_view import baseline_view
from stages.records.baseline_report import BaselineReport
from stages.records.scored import ScoredPath
from stages.rendering.template import render
from stages.rendering.terminal import run_reporting
from stages.storage.record_file import read_record
from stages.storage.text_file import write_text

REPORT = Path("docs/retrieval-eval/baseline.json")
SCORED = Path("data/build/scored/fixture.json")
PAGE = Path("data/build/html/baseline.html")


def main() -> None:
    """Write the page: no script, style or font from elsewhere."""
    report = read_record(REPORT, BaselineReport)
    view = baseline_view(report, read_record(SCORED, ScoredPath).cases)
    write_text(PAGE, render("baseline.html.j2", **view))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
