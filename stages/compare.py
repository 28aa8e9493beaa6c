"""DVC stage `compare`: the current path (or the baseline in its place) against the sidecar."""

import sys
from pathlib import Path

from stages.core.comparison import Side, compare
from stages.core.comparison_view import comparison_view
from stages.records.ranking import RankingFile
from stages.records.scored import ScoredPath
from stages.rendering.template import render
from stages.rendering.terminal import run_reporting
from stages.storage.json_file import write_json
from stages.storage.record_file import read_record
from stages.storage.text_file import write_text

RANKINGS = Path("data/build/rankings")
SCORED = Path("data/build/scored")
DOCS = Path("docs/retrieval-eval")


def main() -> None:
    """Write comparison.json and comparison.md; a path that is unavailable is a line in them, and no error."""
    comparison = compare(_side("fixture"), _side("current"), _side("sidecar"))
    write_json(DOCS / "comparison.json", comparison)
    write_text(DOCS / "comparison.md", render("comparison.md.j2", **comparison_view(comparison)))


def _side(path: str) -> Side:
    rankings = read_record(RANKINGS / f"{path}.json", RankingFile)
    return Side(rankings, read_record(SCORED / f"{path}.json", ScoredPath))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
