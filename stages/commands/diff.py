"""Say what changed against BASE, why, and what of each number is whose doing.

Reads git objects and the working tree alone: no checkout, no cache, no service. A shallow clone will do.

Example: retrieval-eval diff main
         retrieval-eval diff old/docs/retrieval-eval new/docs/retrieval-eval --json

Exit codes: 0 whatever was found; 2 bad input or usage.
"""

import argparse

from stages.commands.review_output import review_json, review_markdown, review_text
from stages.commands.review_run import add_review_arguments, run_review


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_review_arguments(parser)
    parser.add_argument("--markdown", action="store_true", help="print it as a comment for a pull request")


def run(args: argparse.Namespace) -> int:
    """Print the review."""
    review = run_review(args).review
    shown = review_json if args.json else review_markdown if args.markdown else review_text
    print(shown(review), end="")
    return 0
