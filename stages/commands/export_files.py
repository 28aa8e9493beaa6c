"""`retrieval-eval export FORMAT FILE`: our cases, rankings and corpus for other people's tools.

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from stages.core.query_text import query_text
from stages.records.chunk import Chunk
from stages.records.imported import ImportedCase
from stages.records.recording import Recording
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
from stages.storage.reading import Reading
from stages.storage.recordings import read_recordings

CASES_NAMED = 3
JUDGMENTS = ("beir", "trec")
WITH_CORPUS = ("beir", "llamaindex", "ragas")
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
    with Reading() as reading:
        located = reading.of(read_golden, [args.golden])
        recordings = reading.of(read_recordings, args.fixtures) if args.fixtures else {}
        chunks = reading.of(read_corpus, args.corpus) if args.format in WITH_CORPUS else ()
    cases = [ImportedCase(one.scenario, one.case) for one in located]
    lost = sorted({*_write(args, cases, recordings, chunks), *(_rewritten(cases) if args.format in JUDGMENTS else ())})
    for sentence in _together(lost):
        print(f"{sentence}.", file=sys.stderr)
    print(f"{len(cases)} cases read, {len(lost)} losses. Written: {args.file}.", file=sys.stderr)
    return 0


def _together(lost: Iterable[str]) -> list[str]:
    """Each loss once, with the first of its cases: hundreds of cases lose the same."""
    cases: dict[str, list[str]] = {}
    for sentence in lost:
        case, _, what = sentence.removeprefix("case ").partition(": ")
        cases.setdefault(what, []).append(case)
    return [_told(names, what) for what, names in sorted(cases.items())]


def _told(names: list[str], what: str) -> str:
    if len(names) == 1:
        return f"case {names[0]}: {what}"
    more = f" and {len(names) - CASES_NAMED} more" if len(names) > CASES_NAMED else ""
    return f"{len(names)} cases ({', '.join(names[:CASES_NAMED])}{more}): {what}"


def _as_sent(cases: Iterable[ImportedCase]) -> list[ImportedCase]:
    """The cases with the text that retrievers are asked: beside judgments stand texts only."""
    return [replace(item, case=item.case.model_copy(update={"query": query_text(item.case.query)})) for item in cases]


def _rewritten(cases: Iterable[ImportedCase]) -> list[str]:
    structured = [item.case.id for item in cases if not isinstance(item.case.query, str)]
    return [f"case {case_id}: a structured query is written as the text that is sent" for case_id in structured]


def _write(
    args: argparse.Namespace, cases: list[ImportedCase], recordings: Mapping[str, Recording], chunks: Sequence[Chunk]
) -> list[str]:
    writers: dict[str, Callable[[], list[str]]] = {
        "beir": lambda: write_beir(args.file, _as_sent(cases), chunks, args.grain),
        "csv": lambda: write_csv(args.file, cases),
        "knowledge-base": lambda: write_knowledge_base(args.file, cases),
        "llamaindex": lambda: write_llamaindex(args.file, cases, chunks),
        "ragas": lambda: write_ragas(args.file, cases, recordings, CorpusLookup(chunks)),
        "runbook": lambda: write_runbook(args.file, cases),
        "trec": lambda: write_trec(args.file, _as_sent(cases), recordings, args.grain),
    }
    return writers[args.format]()
