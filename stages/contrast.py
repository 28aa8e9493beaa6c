"""DVC stage `contrast`: the scored retrievers, side by side, to the report on retrievers."""

import sys
from pathlib import Path

from stages.core.retriever_report import RETRIEVERS, retriever_report
from stages.core.retriever_report_view import retriever_report_view
from stages.records.scored import ScoredPath
from stages.rendering.template import render
from stages.rendering.terminal import run_reporting
from stages.storage.json_file import write_json
from stages.storage.record_file import read_record
from stages.storage.text_file import write_text

SCORED = Path("data/build/scored")
DOCS = Path("docs/retrieval-eval")


def main() -> None:
    """Write retrievers.json and retrievers.md; a retriever that was never captured is shown as such."""
    report = retriever_report({name: read_record(SCORED / f"{name}.json", ScoredPath) for name in RETRIEVERS})
    write_json(DOCS / "retrievers.json", report)
    write_text(DOCS / "retrievers.md", render("retrievers.md.j2", **retriever_report_view(report)))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
