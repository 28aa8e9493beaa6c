"""`evaluate` without a retriever: golden cases against a folder of recordings."""

import argparse
import sys
from pathlib import Path

from stages.commands.golden_cases import golden_cases
from stages.commands.recorded_folder import given_folder
from stages.core.baseline_report import baseline_report
from stages.core.baseline_view import baseline_view
from stages.core.metrics_file import metrics_file
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.scored import ScoredPath
from stages.records.yardstick import Yardstick
from stages.rendering.template import render
from stages.storage.json_file import dump_json, write_json, write_json_lines
from stages.storage.reading import Reading
from stages.storage.text_file import write_text

BASELINE = Path("data/fixtures/baseline")
TOP_K = 5


def evaluate_recordings(args: argparse.Namespace) -> int:
    """Print the evaluation, and write the reports where `--output` names a folder."""
    scored = _score(args, args.fixtures or BASELINE, args.top_k or TOP_K)
    report = baseline_report(scored, [])
    view = baseline_view(report, scored.cases)
    if args.output:
        write_json(args.output / "baseline.json", report)
        write_json(args.output / "metrics.json", metrics_file(scored))
        write_json_lines(args.output / "cases.jsonl", scored.cases)
        write_text(args.output / "baseline.md", render("baseline.md.j2", **view))
        print(f"reports are in {args.output}", file=sys.stderr)
    print(dump_json(report) if args.json else render("evaluation.txt.j2", **view), end="")
    return 0


def _score(args: argparse.Namespace, fixtures: Path, top_k: int) -> ScoredPath:
    with Reading() as reading:
        cases = reading.of(golden_cases, args.golden)
        found = reading.of(given_folder, fixtures)
    rankings = replay_path(cases, found.recordings, found.state, top_k, args.cutoffs)
    yardstick = Yardstick(
        top_k=top_k,
        cutoffs=tuple(sorted(set(args.cutoffs))),
        primary_grain=args.grain,
        min_keyword_coverage=args.min_keyword_coverage,
        relevance_floor=None,
    )
    return score_path(cases, rankings, yardstick)
