"""`retrieval-eval runs BEFORE AFTER`: two stored runs side by side, as aggregates or as recordings.

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
import sys
from pathlib import Path

from stages.commands.golden_cases import golden_cases
from stages.core.run_comparison import CaseComparison, MetricDelta, chunkers, compare_aggregates, compare_recordings
from stages.records.problem import InputError, Problem
from stages.records.recording import Recording
from stages.storage.formats.aggregates import read_aggregates
from stages.storage.json_file import dump_json
from stages.storage.reading import Reading
from stages.storage.recordings import read_recordings

EXAMPLE = """\
examples:
  retrieval-eval runs runs/42/aggregate.json runs/57/aggregate.json
  retrieval-eval runs data/fixtures/current data/fixtures/sidecar --golden data/golden --strict
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("before", type=Path, help="a JSON file of aggregates, or a folder of recordings")
    parser.add_argument("after", type=Path, help="the same of the later run")
    parser.add_argument("--golden", type=Path, default=Path("data/golden"), help="cases, to compare recordings by")
    parser.add_argument("--strict", action="store_true", help="refuse recordings made with different chunkers")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Compare, and print a table."""
    if args.before.is_dir() != args.after.is_dir():
        what = "one run is a folder and the other a file"
        raise InputError([Problem(str(args.before), 0, 0, "", what, "Give two of a kind")])
    if args.before.is_dir():
        return _compare_folders(args)
    with Reading() as reading:
        before, after = (reading.of(read_aggregates, file) for file in (args.before, args.after))
    rows = compare_aggregates(before, after)
    print(dump_json({"metrics": rows}) if args.json else _metric_table(rows), end="")
    return 0


def _compare_folders(args: argparse.Namespace) -> int:
    with Reading() as reading:
        cases = reading.of(golden_cases, [args.golden])
        before, after = (reading.of(read_recordings, folder) for folder in (args.before, args.after))
    by_chunk = _same_chunker(args, before, after)
    rows = compare_recordings(cases, before, after, by_chunk=by_chunk)
    left_out = len(cases) - len(rows)
    if args.json:
        match = "exact" if by_chunk else "document_and_section"
        print(dump_json({"chunk_ids": match, "left_out": left_out, "cases": rows}), end="")
        return 0
    print(_case_table(rows), end="")
    print(f"{len(rows)} cases compared, {left_out} left out: not answered on both sides.", file=sys.stderr)
    return 0


def _same_chunker(args: argparse.Namespace, before: dict[str, Recording], after: dict[str, Recording]) -> bool:
    sides = [chunkers(before), chunkers(after)]
    if sides[0] == sides[1]:
        return True
    names = " and ".join(", ".join(side) or "an unnamed one" for side in sides)
    what = f"the chunkers differ ({names}), so chunk ids cannot be compared"
    if args.strict:
        remedy = "Record both with one chunker, or leave out --strict to compare by document and section"
        raise InputError([Problem(str(args.after), 0, 0, "", what, remedy)])
    print(f"{what}; compared by document and section.", file=sys.stderr)
    return False


def _metric_table(rows: list[MetricDelta]) -> str:
    lines = ["| metric | before | after | change |", "|---|---|---|---|"]
    for row in rows:
        change = "–" if row.delta is None else f"{row.delta:+.4f}"
        lines.append(f"| {row.metric} | {_number(row.before)} | {_number(row.after)} | {change} |")
    return "\n".join(lines) + "\n"


def _case_table(rows: list[CaseComparison]) -> str:
    kinds = [row.kind for row in rows]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("win", "loss", "regression", "draw"))
    lines = [counts, "", "| case | | rank before | rank after | matched by |", "|---|---|---|---|---|"]
    changed = [row for row in rows if row.kind != "draw"]
    lines += [
        f"| {row.case_id} | {row.kind} | {row.before or '–'} | {row.after or '–'} | {row.matched_by} |"
        for row in changed
    ]
    return "\n".join(lines) + "\n"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}".removesuffix(".0000")
