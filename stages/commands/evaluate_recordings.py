"""`evaluate` without a retriever: golden cases against a folder of recordings."""

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
    if not fixtures.is_dir():
        what = "there is no such folder of recordings"
        raise InputError([Problem(str(fixtures), 0, 0, "", what, "Name it with --fixtures, or capture one")])
    cases, problems = build_cases(read_golden(args.golden))
    if problems:
        raise InputError(problems)
    state = PathState(path="fixture", status="ready")
    if (fixtures / STATE_FILE).exists():
        state = read_path_state(fixtures, "fixture")
    rankings = replay_path(cases, read_recordings(fixtures), state, top_k, args.cutoffs)
    yardstick = Yardstick(
        top_k=top_k,
        cutoffs=tuple(sorted(set(args.cutoffs))),
        primary_grain=args.grain,
        min_keyword_coverage=args.min_keyword_coverage,
        relevance_floor=None,
    )
    return score_path(cases, rankings, yardstick)
