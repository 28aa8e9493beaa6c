"""Say whether the change may merge.

The rules are the sections `thresholds` and `gate` of params.yaml; docs/review.md explains each.

Example: retrieval-eval gate main --markdown comment.md --junit gate.xml --annotations

Exit codes: 0 it may; 1 it may not; 2 bad input or usage, or nothing was scored; 3 inconclusive
(gate.inconclusive_exit_code of params.yaml).
"""

import argparse
import sys
from pathlib import Path

from stages.commands.review_output import review_annotations, review_json, review_junit, review_markdown
from stages.commands.review_run import add_review_arguments, run_review
from stages.core.review_view import names
from stages.records.review import Review
from stages.rendering.template import render
from stages.storage.text_file import write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_review_arguments(parser)
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the comment for a pull request")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML, each golden case a test")
    parser.add_argument("--annotations", action="store_true", help="print GitHub annotations to standard error")


def run(args: argparse.Namespace) -> int:
    """Print every rule with value, limit and verdict, and return the exit code of the verdict."""
    found = run_review(args)
    if args.markdown:
        write_text(args.markdown, review_markdown(found.review))
    if args.junit:
        write_text(args.junit, review_junit(found))
    if args.annotations:
        for line in review_annotations(found):
            print(line, file=sys.stderr)
    print(review_json(found.review) if args.json else _text(found.review), end="")
    return found.review.gate.exit_code


def _text(review: Review) -> str:
    return render("gate.txt.j2", gate=review.gate, names=names)
