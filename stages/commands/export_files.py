"""`retrieval-eval export FORMAT FILE`: our cases, rankings and corpus for other people's tools."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from stages.records.imported import ImportedCase
from stages.storage.corpus import read_corpus
from stages.storage.formats.beir import write_beir
from stages.storage.formats.knowledge_base import write_knowledge_base
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.llamaindex import write_llamaindex
from stages.storage.formats.ragas import write_ragas
from stages.storage.formats.runbook import write_runbook
from stages.storage.formats.spreadsheet import write_csv
from stages.storage.formats.trec_folder import write_trec
from stages.storage.golden import read_golden
from stages.storage.recordings import read_recordings

FORMATS = ("beir", "csv", "knowledge-base", "llamaindex", "ragas", "runbook", "trec")
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
    parser.add_argument("file", type=Path, help="the file to write; for beir and trec the folder")
    parser.add_argument("--grain", choices=("document", "section", "chunk"), default="document", help="for trec, beir")
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
    recordings = read_recordings(args.fixtures) if args.fixtures else {}
    writers: dict[str, Callable[[], list[str]]] = {
        "beir": lambda: write_beir(args.file, cases, read_corpus(args.corpus), args.grain),
        "csv": lambda: write_csv(args.file, cases),
        "knowledge-base": lambda: write_knowledge_base(args.file, cases),
        "llamaindex": lambda: write_llamaindex(args.file, cases, read_corpus(args.corpus)),
        "ragas": lambda: write_ragas(args.file, cases, recordings, CorpusLookup(read_corpus(args.corpus))),
        "runbook": lambda: write_runbook(args.file, cases),
        "trec": lambda: write_trec(args.file, cases, recordings, args.grain),
    }
    return writers[args.format]()
