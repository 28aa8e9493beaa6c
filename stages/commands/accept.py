"""Accept a known failure until a date: an entry in data/accepted.yaml, which the gate reads.

Example: retrieval-eval accept mq-lag-short --reason "Needs query rewriting, planned for January" --until 2027-01-31

Exit codes: 0 accepted; 2 bad input or usage.
"""

import argparse
import sys
from datetime import timedelta
from pathlib import Path

from stages.commands.review_run import day
from stages.commands.review_side import read_files, read_side
from stages.core.exchange_steps import score_side
from stages.records.accepted import AcceptedCase, AcceptedLevel
from stages.records.problem import InputError, Problem
from stages.records.side import Side
from stages.storage.git_objects import commit_date, merge_base, resolve_commit
from stages.storage.ledger import LEDGER, parse_ledger, write_ledger
from stages.storage.reading import Reading
from stages.storage.text_file import decode_text

ROOT = Path()
DAYS = 90


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("case", metavar="CASE", help="id of a golden case that is not strong, or that was removed")
    add("--reason", required=True, help="why it is accepted, for the next reader")
    add("--until", type=day, help=f"last day of the entry (default: {DAYS} days after the last commit)")
    add("--base", help="revision which has a case that was removed (default: where the main branch was left)")
    add("--path", default="fixture", help="which path of params.yaml (default fixture)")


def run(args: argparse.Namespace) -> int:
    """Write the entry with the level that the case has now; an older entry of the case is replaced."""
    with Reading() as reading:
        side = reading.of(read_side, ROOT, None, "the working tree", args.path)
        ledger = reading.of(_ledger)
    if side is None:
        raise _fault(
            "params.yaml", "", "there are no golden cases, or no such path", "Run it at the root of the project"
        )
    level = _level(args, side)
    committed = commit_date(ROOT, "HEAD")
    until = args.until or committed + timedelta(days=DAYS)
    if until < committed:
        what = f"{until} is before the last commit ({committed}), so the entry would excuse nothing"
        raise _fault("--until", args.case, what, "Name a later day")
    if not args.reason.strip():
        raise _fault("--reason", args.case, "the reason is empty", "Say why the failure is acceptable")
    entry = AcceptedCase(case=args.case, level=level, reason=args.reason.strip(), until=until)
    write_ledger(LEDGER, [*(one for one in ledger if one.case != args.case), entry])
    print(f"{args.case} is accepted as {level} until {until}; commit {LEDGER}", file=sys.stderr)
    return 0


def _ledger() -> tuple[AcceptedCase, ...]:
    files = read_files(ROOT, None, [LEDGER.as_posix()])
    return parse_ledger(decode_text(files[LEDGER.as_posix()], str(LEDGER)), str(LEDGER)) if files else ()


def _level(args: argparse.Namespace, side: Side) -> AcceptedLevel:
    if args.case not in side.cases:
        return _removed(args)
    scored = score_side(side)[args.case]
    if scored.level is None or scored.level == "strong":
        found = scored.level or scored.state.replace("_", " ")
        file, line = side.places[args.case]
        what, remedy = f"the case is {found} now", "Accept a case that is medium or a miss"
        raise InputError([Problem(file, line, 0, args.case, what, remedy)])
    return scored.level


def _removed(args: argparse.Namespace) -> AcceptedLevel:
    base = resolve_commit(ROOT, args.base) if args.base else merge_base(ROOT)
    before = read_side(ROOT, base, "BASE", args.path)
    if before is None or args.case not in before.cases:
        what = f"no golden file has such a case, here or at {base[:7]}"
        raise _fault("data/golden", args.case, what, "Check the name")
    return "removed"


def _fault(place: str, case: str, what: str, remedy: str) -> InputError:
    return InputError([Problem(place, 0, 0, case, what, remedy)])
