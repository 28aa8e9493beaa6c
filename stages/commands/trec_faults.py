"""What is wrong with each file that `retrieval-eval trec` was given: a fault of one hides none of another."""

import argparse
from pathlib import Path

from stages.records.problem import InputError, Problem
from stages.storage.reading import Reading
from stages.storage.trec.columns import Tally
from stages.storage.trec.judgment_file import read_judgments
from stages.storage.trec.whole_run import read_run


def file_problems(args: argparse.Namespace) -> list[Problem]:
    """Read every file by itself, and return all that is wrong with any."""
    runs: list[Path] = [args.run, *([args.against] if args.against else [])]
    try:
        with Reading() as reading:
            reading.of(read_judgments, args.qrels, Tally())
            for run in runs:
                reading.of(read_run, run, by_rank=args.order == "rank")
    except InputError as error:
        return list(error.problems)
    return []
