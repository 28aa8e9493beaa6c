"""Score golden cases against recordings, without DVC.

Example: retrieval-eval evaluate --golden data/golden --fixtures data/fixtures/baseline --top-k 5
"""

import argparse
import sys
from pathlib import Path

from stages.core.baseline_report import baseline_report
from stages.core.baseline_view import baseline_view
from stages.core.case_building import build_cases
from stages.core.metrics_file import metrics_file
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.problem import InputError, Problem
from stages.records.recording import PathState
from stages.records.scored import ScoredPath
from stages.records.yardstick import Yardstick
from stages.rendering.template import render
from stages.storage.golden import read_golden
from stages.storage.json_file import dump_json, write_json, write_json_lines
from stages.storage.recordings import STATE_FILE, read_path_state, read_recordings
from stages.storage.text_file import write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--fixtures", type=Path, default=Path("data/fixtures/baseline"), help="folder of recordings")
    add("--top-k", type=positive, default=5, help="how many candidates count (default 5)")
    add("--cutoffs", type=positive, nargs="*", default=[1, 3, 10], help="further cut-offs (default 1 3 10)")
    add("--grain", choices=("document", "section", "chunk"), default="section", help="grain of the headline metrics")
    add("--min-keyword-coverage", type=share, default=0.6, help="keywords to be seen for a strong hit (default 0.6)")
    add("--output", type=Path, help="folder for baseline.json, baseline.md, metrics.json and cases.jsonl")
    add("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the evaluation, and write the reports where `--output` names a folder."""
    scored = _score(args)
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


def positive(text: str) -> int:
    """Return a whole number from 1 to 1000, for argparse."""
    value = int(text)
    if not 1 <= value <= 1000:  # noqa: PLR2004
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 1000")
    return value


def share(text: str) -> float:
    """Return a number from 0 to 1, for argparse."""
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _score(args: argparse.Namespace) -> ScoredPath:
    if not args.fixtures.is_dir():
        what = "there is no such folder of recordings"
        raise InputError([Problem(str(args.fixtures), 0, 0, "", what, "Name it with --fixtures, or capture one")])
    cases, problems = build_cases(read_golden(args.golden))
    if problems:
        raise InputError(problems)
    state = PathState(path="fixture", status="ready")
    if (args.fixtures / STATE_FILE).exists():
        state = read_path_state(args.fixtures, "fixture")
    rankings = replay_path(cases, read_recordings(args.fixtures), state, args.top_k, args.cutoffs)
    yardstick = Yardstick(
        top_k=args.top_k,
        cutoffs=tuple(sorted(set(args.cutoffs))),
        primary_grain=args.grain,
        min_keyword_coverage=args.min_keyword_coverage,
        relevance_floor=None,
    )
    return score_path(cases, rankings, yardstick)
