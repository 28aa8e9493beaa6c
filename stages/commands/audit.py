"""Try known damage on the recordings, and see what the gate would notice thanks to this golden set.

Example: retrieval-eval audit --require 0.9

Exit codes: 0 done; 1 with --require, too few mutants are killed or a group is blind; 2 bad input or usage.
"""

import argparse
import sys
from pathlib import Path

from stages.commands.evaluate import share
from stages.commands.golden_cases import golden_cases
from stages.commands.recorded_paths import recorded_answers, replayed_path
from stages.core.audit import AuditInput, audit
from stages.core.winnability import mark_unwinnable
from stages.records.audit import AuditReport
from stages.records.params.audit import AuditParams
from stages.records.problem import InputError, Problem
from stages.rendering.template import render
from stages.storage.corpus import read_corpus
from stages.storage.json_file import dump_json
from stages.storage.params import PARAMS_FILE, read_params
from stages.storage.reading import Reading

ARMS = ("bm25", "milvus")
RETRIEVERS = ("bm25", "hybrid", "milvus")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--corpus", type=Path, default=Path("data/corpus"), help="what the labels are about")
    add("--params", type=Path, default=PARAMS_FILE, help="parameters of scoring, gate and audit")
    add("--path", default="fixture", help="the path of params.yaml whose recordings the gate watches")
    add("--require", type=share, metavar="SHARE", help="exit 1 when fewer mutants are killed, or a group is blind")
    add("--json", action="store_true", help="print the audit as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the audit."""
    report = _audit(args)
    print(dump_json(report) if args.json else render("audit.md.j2", report=report), end="")
    if args.require is None:
        return 0
    blind = [*report.blind_fault_types, *report.blind_damage]
    met = report.killed_share is not None and report.killed_share >= args.require and not blind
    if not met:
        share = "no" if report.killed_share is None else f"{report.killed_share:.4f}"
        print(
            f"{share} of the mutants killed, {args.require:g} required; blind: {', '.join(blind) or 'none'}",
            file=sys.stderr,
        )
    return 0 if met else 1


def _audit(args: argparse.Namespace) -> AuditReport:
    with Reading() as reading:
        params = reading.of(read_params, AuditParams, args.params)
        cases = reading.of(golden_cases, args.golden)
        chunks = reading.of(read_corpus, args.corpus)
        reading.of(_check_path, args, params)
        names = [name for name in (args.path, *RETRIEVERS) if name in params.paths]
        answers = {name: reading.of(recorded_answers, params, name) for name in names}
    cases = mark_unwinnable(cases, chunks)
    paths = {name: replayed_path(cases, params, found) for name, found in answers.items()}
    retrievers = {name: paths[name] for name in RETRIEVERS if name in paths}
    return audit(AuditInput(cases, chunks, paths[args.path], retrievers, ARMS), params)


def _check_path(args: argparse.Namespace, params: AuditParams) -> None:
    if args.path not in params.paths:
        what = f"there is no path {args.path!r}"
        raise InputError([Problem(str(args.params), 0, 0, "", what, f"The paths are {', '.join(params.paths)}")])
