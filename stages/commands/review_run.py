"""What `diff` and `gate` share: which two sides are meant, and the review of them."""

import argparse
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from stages.commands.review_side import PARAMS, read_files, read_section, read_side
from stages.core.gate_floors import faulty_floors
from stages.core.report_side import report_side
from stages.core.reviewing import review
from stages.core.side_comparison import Comparison, compare_scored, compare_sides
from stages.records.accepted import AcceptedCase
from stages.records.params.gate import GateParams
from stages.records.problem import InputError, Problem
from stages.records.review import Review
from stages.records.side import Side
from stages.storage.git_objects import commit_date, merge_base, resolve_commit
from stages.storage.ledger import LEDGER, parse_ledger
from stages.storage.params import param_problems
from stages.storage.reading import Reading
from stages.storage.report_folder import is_report, read_report
from stages.storage.text_file import decode_text
from stages.storage.yaml_file import parse_yaml

ROOT = Path()


@dataclass(frozen=True)
class ReviewRun:
    """The review with what the outputs beside it need."""

    review: Review
    comparison: Comparison
    ledger: tuple[AcceptedCase, ...]


def add_review_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare which sides are compared."""
    add = parser.add_argument
    add("base", nargs="?", metavar="BASE", help="revision, or report (default: where the main branch was left)")
    add("head", nargs="?", metavar="HEAD", help="revision, or report (default: the working tree)")
    add("--path", default="fixture", help="which path of params.yaml (default fixture)")
    add("--today", type=day, help="day on which data/accepted.yaml is read (default: day of HEAD)")
    add("--json", action="store_true", help="print the whole review as JSON")


def day(text: str) -> date:
    """Return the day that an option names."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it like 2027-01-31") from None


def run_review(args: argparse.Namespace) -> ReviewRun:
    """Read both sides, compare them, and hold the new one against the gate.

    Raises:
        InputError: everything wrong with the revisions, the files, the parameters or the ledger.
    """
    reports = _reports(args)
    head = resolve_commit(ROOT, args.head) if args.head and not reports else None
    files = read_files(ROOT, head, [PARAMS, LEDGER.as_posix()])
    with Reading() as reading:
        comparison = reading.of(_compare_reports, *reports) if reports else reading.of(_compare_revisions, args, head)
        params = reading.of(_gate_params, files)
        ledger = reading.of(_ledger, files)
    _check_floors(params, comparison, files)
    today = args.today or (commit_date(ROOT, head or "HEAD") if ledger else date.min)
    return ReviewRun(review(comparison, params, ledger, today), comparison, ledger)


def _reports(args: argparse.Namespace) -> tuple[Path, Path] | None:
    paths = [Path(side) for side in (args.base, args.head) if side]
    if len(paths) == 2 and all(map(is_report, paths)):  # noqa: PLR2004 - both sides
        return paths[0], paths[1]
    for path in filter(is_report, paths):
        what = "a report is compared with a report alone, since it holds no recordings"
        raise InputError([Problem(str(path), 0, 0, "", what, "Name two reports, or revisions")])
    return None


def _compare_reports(old: Path, new: Path) -> Comparison:
    sides, scored = [], []
    for path in (old, new):
        report, cases = read_report(path)
        by_id = {case.case_id: case for case in cases}
        scored.append(by_id)
        sides.append(report_side(path.as_posix(), report, by_id))
    return compare_scored(sides[0], sides[1], scored[0], scored[1])


def _compare_revisions(args: argparse.Namespace, head: str | None) -> Comparison:
    base = resolve_commit(ROOT, args.base) if args.base else merge_base(ROOT, head or "HEAD")
    new_name = f"{args.head} ({head[:7]})" if head else "the working tree"
    old_name = f"{args.base} ({base[:7]})" if args.base else f"where main was left ({base[:7]})"
    with Reading() as reading:
        new = reading.of(read_side, ROOT, head, new_name, args.path)
        old = reading.of(read_side, ROOT, base, old_name, args.path)
    if new is None:
        what = f"{new_name} has no golden cases, no params.yaml, or no path called {args.path}"
        raise InputError([Problem(PARAMS, 0, 0, "", what, "Run it at the root of the project, or name another path")])
    return compare_sides(old or _empty(old_name, new), new)


def _empty(name: str, new: Side) -> Side:
    return Side(name=name, cases={}, places={}, recordings={}, state=new.state, yardstick=new.yardstick)


def _gate_params(files: dict[str, bytes]) -> GateParams:
    if PARAMS not in files:
        what = "there is no such file, and it holds the rules of the gate"
        raise InputError([Problem(PARAMS, 0, 0, "", what, "Run it at the root of the project")])
    return read_section(files, GateParams)


def _check_floors(params: GateParams, comparison: Comparison, files: dict[str, bytes]) -> None:
    faults = list(faulty_floors(list(comparison.scored.values()), params))
    if faults:
        remedy = "docs/retrieval-eval/metrics.json has the names; a share is at most 1"
        document = parse_yaml(decode_text(files[PARAMS], PARAMS), PARAMS)
        raise InputError(param_problems(document, faults, remedy))


def _ledger(files: dict[str, bytes]) -> tuple[AcceptedCase, ...]:
    name = LEDGER.as_posix()
    return parse_ledger(decode_text(files[name], name), name) if name in files else ()
