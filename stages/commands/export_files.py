"""`retrieval-eval export FORMAT FILE`: our cases, rankings and corpus for other people's tools."""

import argparse
import sys
from pathlib import Path

from stages.records.imported import ImportedCase
from stages.storage.corpus import read_corpus
from stages.storage.formats.knowledge_base import write_knowledge_base
from stages.storage.formats.llamaindex import write_llamaindex
from stages.storage.formats.ragas import write_ragas
from stages.storage.formats.runbook import write_runbook
from stages.storage.formats.spreadsheet import write_csv
from stages.storage.golden import read_golden
from stages.storage.recordings import read_recordings

FORMATS = ("csv", "knowledge-base", "llamaindex", "ragas", "runbook")
EXAMPLE = """\
example:
  retrieval-eval export csv cases.csv --golden data/golden

docs/formats.md says what each format loses on the way.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("format", choices=FORMATS)
    parser.add_argument("file", type=Path, help="the file to write")
    parser.add_argument("--golden", type=Path, default=Path("data/golden"), help="golden file or folder")
    parser.add_argument("--fixtures", type=Path, help="recordings, for formats that hold rankings")
    parser.add_argument("--corpus", type=Path, default=Path("data/corpus"), help="corpus, for formats that hold one")


def run(args: argparse.Namespace) -> int:
    """Export, and say what was lost."""
    cases = [ImportedCase(located.scenario, located.case) for located in read_golden([args.golden])]
    lost = sorted(set(_write(args, cases)))
    for sentence in lost:
        print(f"{sentence}.", file=sys.stderr)
    print(f"{len(cases)} cases read, {len(lost)} losses. Written: {args.file}.", file=sys.stderr)
    return 0


def _write(args: argparse.Namespace, cases: list[ImportedCase]) -> list[str]:
    if args.format == "runbook":
        return write_runbook(args.file, cases)
    if args.format == "knowledge-base":
        return write_knowledge_base(args.file, cases)
    if args.format == "llamaindex":
        return write_llamaindex(args.file, cases, read_corpus(args.corpus))
    if args.format == "ragas":
        return write_ragas(args.file, cases, read_recordings(args.fixtures) if args.fixtures else {})
    return write_csv(args.file, cases)
