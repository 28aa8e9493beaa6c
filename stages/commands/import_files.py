"""`retrieval-eval import FORMAT FILE`: other people's cases, rankings and corpora into ours.

Exit codes: 0 done; 2 no row could be used, a row was refused with --strict, bad input or usage.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from stages.core.case_building import case_problems
from stages.records.imported import Imported, ImportedCase
from stages.records.located_case import LocatedCase
from stages.records.problem import InputError, Problem
from stages.storage.corpus import read_corpus
from stages.storage.formats.beir import read_beir
from stages.storage.formats.companions import companions
from stages.storage.formats.golden_case import require_scenario
from stages.storage.formats.knowledge_base import read_knowledge_base
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.llamaindex import read_llamaindex
from stages.storage.formats.ragas import read_ragas
from stages.storage.formats.rows import Row
from stages.storage.formats.run_results import read_run_results
from stages.storage.formats.runbook import read_runbook
from stages.storage.formats.spreadsheet import read_csv
from stages.storage.formats.trec_folder import read_trec
from stages.storage.golden_writer import new_golden
from stages.storage.json_file import dump_json, write_json_lines
from stages.storage.recordings import LINES_FILE, write_recordings_jsonl
from stages.storage.text_file import write_text

HELP = {
    "runbook": "the runbook evaluator's rag_eval_cases.json (JSON list or JSON Lines)",
    "knowledge-base": "the knowledge base's golden_queries.yaml",
    "run-results": "the knowledge base's per_query.jsonl: rankings, as recordings",
    "llamaindex": "LlamaIndex's JSON of queries, corpus and relevant_docs",
    "ragas": "rows with user_input and reference_context_ids",
    "csv": "one line for each expectation",
    "trec": "a folder with qrels.txt, run.txt and queries.tsv, or a judgment file",
    "beir": "a folder with corpus.jsonl, queries.jsonl and qrels/*.tsv",
}
WHOLE = ("beir", "trec")
WHOLE_WHY = (
    "Nothing is imported: the files of trec and beir are taken whole or not at all, since a judgment or a ranking that "
    "lacks a row means something else."
)
EXAMPLE = """\
example:
  retrieval-eval import runbook rag_eval_cases.json --corpus data/corpus --output data/golden

Rows with a fault are refused and told, and the others imported; but the files of trec and beir are taken whole or not
at all, since a judgment or a ranking that lacks a row means something else.

docs/formats.md says what each format loses on the way.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument(
        "format", choices=sorted(HELP), help="; ".join(f"{name}: {HELP[name]}" for name in sorted(HELP))
    )
    parser.add_argument("file", type=Path, help="the file to read")
    parser.add_argument("--output", type=Path, default=Path("data/golden"), help="folder for golden files")
    parser.add_argument("--fixtures", type=Path, help="folder for recordings, where the format holds rankings")
    parser.add_argument("--corpus-output", type=Path, help="JSONL file for the corpus, where the format holds one")
    parser.add_argument("--corpus", type=Path, help="our corpus: tells chunks' documents, and gives evidence")
    parser.add_argument("--scenario", help="scenario of cases that name none (default: the format's own)")
    parser.add_argument("--query-fields", default="", help="fields that make up a query, for rows without one: a,b")
    parser.add_argument("--split", help="which qrels of a BEIR data set: test, dev, ..")
    parser.add_argument("--strict", action="store_true", help="write nothing when any row is refused")
    parser.add_argument("--json", action="store_true", help="print the account as JSON")


def run(args: argparse.Namespace) -> int:
    """Import, and account for every row."""
    try:
        found = _without_faulty(_read(args))
    except InputError as error:
        _say_whole(args, error)
        raise
    if not found.rows_in:
        raise InputError([Problem(str(args.file), 0, 0, "", "the file holds no row", "Check the name and the format")])
    for problem in (*found.refused, *found.remarks):
        print(problem, file=sys.stderr)
    failed = (args.strict and found.refused) or not found.rows_used
    files = [] if failed else _write(found, args)
    if not failed:
        _say_unwritten(found, args)
    _account(found, files, as_json=args.json)
    return 2 if failed else 0


def _read(args: argparse.Namespace) -> Imported:
    corpus = CorpusLookup(read_corpus(args.corpus) if args.corpus else ())
    chat = require_scenario(Row("command line", 0, 1, None), "", args.scenario or "chat_lookup")
    fields = [name for name in args.query_fields.split(",") if name]
    readers: dict[str, Callable[[], Imported]] = {
        "beir": lambda: read_beir(args.file, args.split, chat),
        "csv": lambda: read_csv(args.file, corpus, chat),
        "knowledge-base": lambda: read_knowledge_base(args.file, corpus, chat),
        "llamaindex": lambda: read_llamaindex(args.file, corpus, chat),
        "ragas": lambda: read_ragas(args.file, corpus, chat),
        "run-results": lambda: read_run_results(args.file),
        "runbook": lambda: read_runbook(args.file, corpus, args.scenario or "aiops_alert", fields),
        "trec": lambda: read_trec(args.file, corpus, chat),
    }
    return readers[args.format]()


def _without_faulty(found: Imported) -> Imported:
    """Refuse the cases that `load` would refuse, so that what is written can be used as it is."""
    faults = [
        list(case_problems(LocatedCase(item.case, item.scenario, item.file, item.places))) for item in found.cases
    ]
    pairs = list(zip(found.cases, faults, strict=True))
    faulty = {item.case.id: item.rows for item, problems in pairs if problems}
    refused = [*found.refused, *(told for item, problems in pairs for told in _told(item, problems))]
    return replace(
        found,
        rows_used=found.rows_used - sum(faulty.values()),
        cases=tuple(item for item in found.cases if item.case.id not in faulty),
        recordings=tuple(item for item in found.recordings if item.case_id not in faulty),
        refused=tuple(sorted(refused, key=lambda problem: problem.line)),
    )


def _told(item: ImportedCase, problems: list[Problem]) -> list[Problem]:
    lines = [line for line, _ in item.places.values()]
    return [*problems, *(companions(item.file, item.case.id, lines, problems) if problems else ())]


def _say_whole(args: argparse.Namespace, error: InputError) -> None:
    """Rows of judgments and runs are not refused one by one; who met a bad one is told so."""
    if args.format in WHOLE and any(problem.line for problem in error.problems):
        print(WHOLE_WHY, file=sys.stderr)


def _write(found: Imported, args: argparse.Namespace) -> list[str]:
    scenarios = sorted({item.scenario for item in found.cases})
    targets = {
        scenario: args.output
        / (f"{args.file.stem}.yaml" if len(scenarios) == 1 else f"{args.file.stem}-{scenario}.yaml")
        for scenario in scenarios
    }
    recordings = args.fixtures / LINES_FILE if found.recordings and args.fixtures else None
    corpus = args.corpus_output if found.chunks and args.corpus_output else None
    there = [path for path in (*targets.values(), recordings, corpus) if path and path.exists()]
    if there:
        what = "the file is there already, and an import never overwrites"
        raise InputError([Problem(str(path), 0, 0, "", what, "Remove it or name another place") for path in there])
    for scenario, target in targets.items():
        write_text(
            target, new_golden(target, scenario, [item.case for item in found.cases if item.scenario == scenario])
        )
    files = [str(target) for target in targets.values()]
    if recordings:
        write_recordings_jsonl(args.fixtures, found.recordings)
    if corpus:
        write_json_lines(corpus, found.chunks)
    files += [str(path) for path in (recordings, corpus) if path]
    return files


def _say_unwritten(found: Imported, args: argparse.Namespace) -> None:
    """Rankings and a corpus are written where asked only; that they are there is said."""
    for values, name, option, place in (
        (found.recordings, "recordings", "--fixtures", args.fixtures),
        (found.chunks, "chunks", "--corpus-output", args.corpus_output),
    ):
        if values and not place:
            print(f"{len(values)} {name} are not written: {option} says where to.", file=sys.stderr)


def _account(found: Imported, files: list[str], *, as_json: bool) -> None:
    counts = {
        "rows_in": found.rows_in,
        "rows_used": found.rows_used,
        "rows_refused": found.rows_in - found.rows_used,
        "cases": len(found.cases),
        "recordings": len(found.recordings),
        "chunks": len(found.chunks),
    }
    if as_json:
        told = {"refused": [str(item) for item in found.refused], "remarks": [str(item) for item in found.remarks]}
        print(dump_json({**counts, "files": files, **told}), end="")
        return
    words = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in counts.items())
    print(f"{words}. Written: {', '.join(files) or 'nothing'}.", file=sys.stderr)
