"""DVC stage `report`: the scored baseline to the reports under docs/retrieval-eval/."""

import sys
from pathlib import Path

from stages.core.baseline_report import baseline_report
from stages.core.baseline_view import baseline_view
from stages.core.metrics_file import metrics_file
from stages.core.plot_data import cutoff_rows, level_rows
from stages.core.thresholds import check_thresholds, unknown_thresholds
from stages.records.params.report import ReportParams
from stages.records.problem import InputError
from stages.records.scored import ScoredPath
from stages.rendering.template import render
from stages.rendering.terminal import run_reporting
from stages.storage.csv_file import write_csv
from stages.storage.json_file import write_json, write_json_lines
from stages.storage.params import PARAMS_FILE, param_problems, read_params
from stages.storage.record_file import read_record
from stages.storage.text_file import write_text
from stages.storage.yaml_file import read_yaml

SCORED = Path("data/build/scored/fixture.json")
DOCS = Path("docs/retrieval-eval")
REMEDY = "Name a metric of docs/retrieval-eval/metrics.json, or max_ and a count"


def main() -> None:
    """Write baseline.json, baseline.md, metrics.json, cases.jsonl and the data of the plots."""
    thresholds = read_params(ReportParams).thresholds
    scored = read_record(SCORED, ScoredPath)
    unknown = list(unknown_thresholds(scored.overall, thresholds))
    if unknown:
        faults = [(f"thresholds.{name}", "is no metric of the report") for name in unknown]
        raise InputError(param_problems(read_yaml(PARAMS_FILE), faults, REMEDY))
    report = baseline_report(scored, check_thresholds(scored.overall, thresholds))
    write_json(DOCS / "baseline.json", report)
    write_json(DOCS / "metrics.json", metrics_file(scored))
    write_json_lines(DOCS / "cases.jsonl", scored.cases)
    write_text(DOCS / "baseline.md", render("baseline.md.j2", **baseline_view(report, scored.cases)))
    write_csv(DOCS / "plots/levels.csv", level_rows(scored))
    write_csv(DOCS / "plots/cutoffs.csv", cutoff_rows(scored))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
