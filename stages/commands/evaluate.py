"""Score golden cases against recordings, or evaluate retrievers over the corpus, without DVC.

Examples:
  retrieval-eval evaluate --golden data/golden --fixtures data/fixtures/baseline --top-k 5
  retrieval-eval evaluate --retriever all --top-k 3 --report --output retrievers.md

Exit codes: 0 done, and with --retriever every retriever asked answered every case; 2 bad input or usage; 3 with
--retriever, one did not, or the hybrid lacked an arm (what the others found is printed all the same).
"""

import argparse
from pathlib import Path

from stages.records.problem import InputError, Problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    _add_common(parser)
    _add_recordings(parser.add_argument_group("recordings of a path (without --retriever)"))
    _add_retrievers(parser.add_argument_group("retrievers over the corpus"))


def run(args: argparse.Namespace) -> int:
    """Hand over to the kind of evaluation that the options ask for."""
    if args.retriever:
        from stages.commands.evaluate_retrievers import evaluate_retrievers

        return evaluate_retrievers(args)
    for option in ("report", "live", "recorded"):
        if getattr(args, option):
            raise InputError([Problem(f"--{option}", 0, 0, "", "it says how retrievers run", "Add --retriever")])
    from stages.commands.evaluate_recordings import evaluate_recordings

    return evaluate_recordings(args)


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


def _add_common(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--fixtures", type=Path, help="recordings (default data/fixtures/baseline; of milvus: data/fixtures/milvus)")
    add("--top-k", type=positive, help="how many candidates count (default 5, with --retriever 3)")
    add("--output", type=Path, help="folder for the reports; with --retriever the file to write instead of printing")
    add("--json", action="store_true", help="print JSON")


def _add_recordings(group: "argparse._ArgumentGroup") -> None:
    add = group.add_argument
    add("--cutoffs", type=positive, nargs="*", default=[1, 3, 10], help="further cut-offs (default 1 3 10)")
    add("--grain", choices=("document", "section", "chunk"), default="section", help="grain of the headline metrics")
    add("--min-keyword-coverage", type=share, default=0.6, help="keywords to be seen for a strong hit (default 0.6)")


def _add_retrievers(group: "argparse._ArgumentGroup") -> None:
    add = group.add_argument
    add("--retriever", choices=("bm25", "milvus", "hybrid", "all"), help="what to evaluate, by document and section")
    add("--report", action="store_true", help="Markdown; with --json beside the numbers, as the HTTP API gives it")
    add("--corpus", type=Path, default=Path("data/corpus"), help="folder of Markdown, or JSONL (default data/corpus)")
    how = group.add_mutually_exclusive_group()
    how.add_argument("--recorded", action="store_true", help="milvus as it was recorded; needs no engine (default)")
    how.add_argument("--live", action="store_true", help="ask Milvus and the embedder of params.yaml")
