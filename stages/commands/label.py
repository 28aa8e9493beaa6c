"""Walk through unjudged candidates, those first whose label could move the verdict most.

Examples:
  retrieval-eval label                        in the terminal, one key a label; resumes where it stopped
  retrieval-eval label --case mq-sms-late
  retrieval-eval label --export queue.csv     for a spreadsheet: fill in the column relevance ...
  retrieval-eval label --import queue.csv     ... and bring the labels back

Exit codes: 0 done; 2 a row of --import was refused, bad input or usage.
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from stages.commands.label_session import LabelSession
from stages.commands.recorded_paths import recorded_answers, replayed_path
from stages.commands.terminal_keys import terminal_keys
from stages.core.case_building import build_cases
from stages.core.label_queue import label_queue
from stages.core.path_yardstick import path_yardstick
from stages.core.winnability import mark_unwinnable
from stages.records.chunk import Chunk
from stages.records.golden import Expectation, Expected
from stages.records.label_item import LabelItem
from stages.records.located_case import LocatedCase
from stages.records.params.audit import AuditParams
from stages.records.problem import InputError, Problem
from stages.rendering.label_screen import label_screen
from stages.rendering.terminal import BAD_INPUT
from stages.storage.corpus import read_corpus
from stages.storage.golden import read_golden
from stages.storage.json_file import dump_json
from stages.storage.label_csv import read_labels, write_queue
from stages.storage.params import PARAMS_FILE, read_params
from stages.storage.reading import Reading

JOURNAL = Path("data/build/label-journal.jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--corpus", type=Path, default=Path("data/corpus"), help="what the labels are about")
    add("--params", type=Path, default=PARAMS_FILE, help="parameters of scoring")
    add("--paths", default="fixture,bm25,milvus", help="paths whose candidates are queued; the gate watches the first")
    add("--case", action="append", default=[], metavar="ID", help="only this case; may be given again")
    add("--again", action="store_true", help="queue what was put off again")
    add("--export", type=Path, metavar="CSV", help="write the queue and stop")
    add("--import", type=Path, metavar="CSV", dest="labels", help="write the labels of a filled-in queue and stop")
    add("--json", action="store_true", help="print the queue and stop")


def run(args: argparse.Namespace) -> int:
    """Label, or move the queue in or out."""
    with Reading() as reading:
        located = reading.of(read_golden, args.golden)
        params = reading.of(read_params, AuditParams, args.params)
        chunks = reading.of(read_corpus, args.corpus)
    files = {one.case.id: one.file for one in located}
    session = LabelSession(lambda: _queue(args, params, chunks), files, JOURNAL)
    if args.again:
        print(f"{session.recall_put_off()} candidates are back in the queue", file=sys.stderr)
    waiting = session.waiting()
    if args.labels:
        return _import(args.labels, session, waiting)
    if args.export or args.json:
        if args.export:
            write_queue(args.export, waiting)
            print(f"{len(waiting)} candidates written to {args.export}", file=sys.stderr)
        else:
            print(dump_json(waiting), end="")
        return 0
    with terminal_keys() as next_key:
        _walk(session, _labels(located), next_key)
    print(f"{len(session.waiting())} candidates are waiting; `retrieval-eval label` goes on here", file=sys.stderr)
    return 0


def _queue(args: argparse.Namespace, params: AuditParams, chunks: Sequence[Chunk]) -> list[LabelItem]:
    cases, problems = build_cases(read_golden(args.golden))
    names = args.paths.split(",")
    unknown = [name for name in names if name not in params.paths]
    problems += [
        Problem(str(args.params), 0, 0, "", f"there is no path {name!r}", "Correct --paths") for name in unknown
    ]
    missing = sorted(set(args.case) - {case.id for case in cases})
    problems += [Problem(str(args.golden[0]), 0, 0, id_, "there is no such case", "Correct --case") for id_ in missing]
    if problems:
        raise InputError(problems)
    with Reading() as reading:
        answers = {name: reading.of(recorded_answers, params, name) for name in names}
    cases = mark_unwinnable(cases, chunks)
    rankings = {name: replayed_path(cases, params, found).rankings for name, found in answers.items()}
    paths = {name: {one.case_id: one for one in found} for name, found in rankings.items()}
    chosen = [case for case in cases if not args.case or case.id in args.case]
    return label_queue(chosen, paths, path_yardstick(params, names[0]))


def _import(path: Path, session: LabelSession, waiting: Sequence[LabelItem]) -> int:
    decisions, refused, blank = read_labels(path)
    rows = len(decisions) + len(refused) + blank
    known = {item.key: item for item in waiting}
    for line, decision in decisions:
        item = known.pop(decision.key, None)
        if item is None or decision.relevance is None:
            what = f"{decision.doc_id}#{decision.section} is not waiting for a label"
            refused.append(Problem(str(path), line, 0, decision.case_id, what, "It is judged already, or misspelt"))
        else:
            refused += _labelled(session, item, decision.relevance)
    for problem in sorted(refused):
        print(problem, file=sys.stderr)
    written = rows - blank - len(refused)
    print(f"{rows} rows in, {written} labels written, {blank} left blank, {len(refused)} refused", file=sys.stderr)
    return BAD_INPUT if refused else 0


def _labelled(session: LabelSession, item: LabelItem, relevance: int) -> list[Problem]:
    """Write one label; return why it could not be."""
    try:
        session.label(item, relevance)
    except InputError as error:
        return list(error.problems)
    return []


def _walk(session: LabelSession, labels: dict[str, list[str]], next_key: Callable[[], str]) -> None:
    while waiting := session.waiting():
        item = waiting[0]
        width = min(100, shutil.get_terminal_size().columns)
        print(label_screen(item, labels[item.case_id], len(waiting), width), flush=True)
        key = next_key()
        if key in {"0", "1", "2", "3"}:
            _label_or_put_off(session, item, int(key), labels)
        elif key == "s":
            session.put_off(item)
        elif key == "u":
            _undo(session, labels)
        elif key == "q":
            return


def _label_or_put_off(session: LabelSession, item: LabelItem, relevance: int, labels: dict[str, list[str]]) -> None:
    """A label that the file cannot take is told and put off, so that the walk goes on."""
    if problems := _labelled(session, item, relevance):
        session.put_off(item)
        print("\n".join(map(str, problems)), flush=True)
    else:
        labels[item.case_id].append(_written(item.doc_id, item.section, relevance))
        print(f"→ {labels[item.case_id][-1]}", flush=True)


def _undo(session: LabelSession, labels: dict[str, list[str]]) -> None:
    last = session.undo()
    if last is None:
        print("nothing to undo", flush=True)
    elif last.relevance is None:
        print(f"← {last.doc_id} is back in the queue", flush=True)
    else:
        written = _written(last.doc_id, last.section, last.relevance)
        if written in labels[last.case_id]:
            labels[last.case_id].remove(written)
        print(f"← taken back: {written}", flush=True)


def _labels(located: Sequence[LocatedCase]) -> dict[str, list[str]]:
    found = {}
    for one in located:
        expected = one.case.expected
        found[one.case.id] = [_label(label) for label in expected.documents] if isinstance(expected, Expected) else []
    return found


def _label(label: Expectation) -> str:
    return _written(label.doc_id or label.label or "", label.section, label.relevance)


def _written(document: str, section: str | None, relevance: int) -> str:
    return f"{relevance}  {document}" if section is None else f"{relevance}  {document} # {section}"
