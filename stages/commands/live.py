"""Capture the live path and say whether it is accepted.

Criteria stand in params.yaml under `live`. Examples:

  retrieval-eval live                                capture, compare with the baseline, write the report
  retrieval-eval live --no-capture                   report again on what was captured last
  retrieval-eval live --promote --case mq-backlog    after review: make this case's live ranking the baseline

Exit codes: 0 accepted, or promoted; 1 not accepted; 2 bad input or usage, or another capture of the path is running;
3 inconclusive, as when the service does not answer.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from stages.commands.capture_service import make_job, run_job
from stages.commands.evaluate import positive
from stages.commands.golden_cases import golden_cases
from stages.commands.live_promotion import promote
from stages.commands.recorded_folder import path_answers
from stages.core.acceptance import accept
from stages.core.case_selection import select_cases
from stages.core.comparison import Side
from stages.core.hybrid_path import PathAnswers
from stages.core.index_change import index_change
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.core.thresholds import unknown_thresholds
from stages.core.winnability import mark_unwinnable
from stages.records.acceptance import Acceptance
from stages.records.case import Case
from stages.records.params.live import AcceptanceParams, LiveParams
from stages.records.params.score import ScoreParams
from stages.records.problem import InputError, Problem
from stages.records.yardstick import Yardstick
from stages.rendering.template import render
from stages.storage.corpus import read_corpus
from stages.storage.json_file import dump_json, write_json
from stages.storage.params import PARAMS_FILE, param_problems, read_params
from stages.storage.reading import Reading
from stages.storage.services import read_services
from stages.storage.text_file import write_text
from stages.storage.yaml_file import read_yaml

DOCS = Path("docs/retrieval-eval/live")
CORPUS = Path("data/corpus")
EXIT_CODES = {"accepted": 0, "not_accepted": 1, "inconclusive": 3}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--case", action="append", default=[], metavar="ID", help="only this case; may be repeated")
    add("--tag", action="append", default=[], metavar="TAG", help="only cases with one of these tags")
    add("--scenario", action="append", default=[], metavar="NAME", help="only cases of one of these scenarios")
    add("--top-k", type=positive, metavar="K", help="how many results to ask for (default: topK of params.yaml)")
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--services", type=Path, default=Path("services.yaml"), help="description of the services")
    add("--resume", action="store_true", help="go on with a capture that was interrupted")
    add("--no-capture", action="store_true", help="report on the last capture, and ask nothing")
    add("--promote", action="store_true", help="make the reviewed live rankings the baseline's, and ask nothing")
    add("--output", type=Path, default=DOCS, help=f"folder of the report (default {DOCS})")
    add("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    """Capture, reconcile, report; or promote what was reviewed."""
    with Reading() as reading:
        params = reading.of(read_params, ScoreParams)
        acceptance = reading.of(read_params, AcceptanceParams)
        cases = reading.of(_cases, args)
        if not (args.promote or args.no_capture):
            reading.of(read_services, args.services)
    folders = {name: Path(path.dir) for name, path in params.paths.items()}
    args.out = folders.get("live", Path("data/fixtures/live"))
    if args.promote:
        return promote(args.out, folders["fixture"], [case.id for case in cases], args.output / "acceptance.json")
    if not args.no_capture:
        run_job(make_job(args, "live"), resume=args.resume)
    report = _report(args, params, acceptance.live, cases)
    write_json(args.output / "acceptance.json", report)
    write_text(args.output / "acceptance.md", render("acceptance.md.j2", report=report, raw=_raw_rows(report)))
    if args.json:
        print(dump_json(report), end="")
    _say(report, args.output)
    return EXIT_CODES[report.verdict]


def _cases(args: argparse.Namespace) -> list[Case]:
    with Reading() as reading:
        cases = reading.of(golden_cases, args.golden)
        chunks = reading.of(read_corpus, CORPUS) if CORPUS.is_dir() else []
    chosen, unknown = select_cases(cases, args.case, args.tag, args.scenario)
    if unknown:
        remedy = "Check --case, --tag and --scenario"
        raise InputError([Problem(str(args.golden[0]), 0, 0, "", what, remedy) for what in unknown])
    return mark_unwinnable(chosen, chunks) if chunks else chosen


def _report(args: argparse.Namespace, params: ScoreParams, wanted: LiveParams, cases: list[Case]) -> Acceptance:
    with Reading() as reading:
        answered = reading.of(path_answers, args.out, "live")
        baseline = reading.of(path_answers, Path(params.paths["fixture"].dir), "fixture")
    live = _side(cases, answered, params, args.top_k)
    recorded = _side(cases, baseline, params, args.top_k)
    unknown = list(unknown_thresholds(live.scored.overall, wanted.criteria))
    if unknown:
        remedy = "Name a metric of docs/retrieval-eval/metrics.json, or max_ and a count"
        faults = [(f"live.criteria.{name}", "is no metric of the report") for name in unknown]
        raise InputError(param_problems(read_yaml(PARAMS_FILE), faults, remedy))
    return accept(live, recorded, answered.recordings, index_change(answered.state), wanted)


def _side(cases: list[Case], found: PathAnswers, params: ScoreParams, top_k: int | None) -> Side:
    state = found.state
    yardstick = Yardstick(
        top_k=top_k or params.top_k,
        cutoffs=tuple(sorted(set(params.cutoffs))),
        primary_grain=params.hit_levels.primary_grain,
        min_keyword_coverage=params.hit_levels.min_keyword_coverage,
        relevance_floor=params.paths[state.path].relevance_floor if state.path in params.paths else None,
    )
    rankings = replay_path(cases, found.recordings, state, yardstick.top_k, yardstick.cutoffs)
    return Side(rankings, score_path(cases, rankings, yardstick))


def _raw_rows(report: Acceptance) -> list[tuple[str, str, str]]:
    parts: list[tuple[str, str, Any]] = [
        (case.case_id, name, value)
        for case in report.cases
        if isinstance(case.raw, dict)
        for name, value in case.raw.items()
    ]
    return [(case_id, name, json.dumps(value, ensure_ascii=False)) for case_id, name, value in parts]


def _say(report: Acceptance, folder: Path) -> None:
    failed = [f"{check.rule}: {check.message}" for check in report.criteria if check.verdict == "fail"]
    print(
        "\n".join([*failed, f"live: {report.verdict.replace('_', ' ')}; see {folder}/acceptance.md"]), file=sys.stderr
    )
    if report.index.warning:
        print(f"warning: {report.index.warning}", file=sys.stderr)
