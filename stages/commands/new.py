"""Make a golden case from a question: see what is found and what the corpus has, label it, write it.

Examples:
  retrieval-eval new "优惠券领了不显示"
  retrieval-eval new "how are dead letters replayed" --id mq-replay --expect mq-dead-letter#重放=3 --keyword 重放

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stages.commands.case_answers import asked_labels, asked_words, given_labels
from stages.commands.evaluate import positive
from stages.core.case_building import case_problems
from stages.core.corpus_check import check_corpus
from stages.core.corpus_view import view_chunks
from stages.core.duplicate_queries import duplicate_queries
from stages.core.found_sections import found_sections
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.found_section import FoundSection
from stages.records.golden import Evidence, GoldenCase
from stages.records.located_case import LocatedCase
from stages.records.problem import InputError, Problem
from stages.records.recording import Recording
from stages.rendering.found_screen import found_screen
from stages.storage.corpus import read_corpus
from stages.storage.formats.case_ids import slug
from stages.storage.formats.golden_case import build_case, require_scenario
from stages.storage.formats.labels import CorpusLookup, evidence_for
from stages.storage.formats.rows import Row
from stages.storage.golden import read_golden
from stages.storage.golden_append import appended
from stages.storage.golden_writer import dump_case
from stages.storage.params import read_params
from stages.storage.reading import Reading
from stages.storage.text_file import write_text

WHERE = "new case"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("query", help="the question, word for word")
    add("--id", help="id of the case; asked for, or made from the question")
    add("--file", type=Path, help="golden file to append to (default: data/golden/<scenario>.yaml)")
    add("--golden", type=Path, default=Path("data/golden"), help="the other cases, to find the same question")
    add("--scenario", default="chat_lookup", help="scenario of the case")
    add("--fault-type", help="in capitals, such as MQ_BACKLOG")
    add("--lang", help="language of the question")
    add("--expect", action="append", metavar="DOC#SECTION=GRADE", help="a label; may be given again; asks nothing then")
    add("--none", action="store_true", help="the corpus cannot answer this")
    add("--keyword", action="append", default=[], help="evidence; without any, the breadcrumbs of the labels")
    add("--tag", action="append", default=[], help="a tag; may be given again")
    add("--notes", help="why this case exists")
    add("--retrievers", default="bm25", help="which are asked: bm25,milvus,hybrid")
    add("--depth", type=positive, default=10, help="how many of each retriever's results are shown")
    add("--corpus", type=Path, default=Path("data/corpus"), help="what is searched and labelled")


def run(args: argparse.Namespace) -> int:
    """Show, ask, and write the case."""
    with Reading() as reading:
        chunks = reading.of(read_corpus, args.corpus)
        others = reading.of(read_golden, [args.golden]) if args.golden.exists() else []
    labels = given_labels(args)
    if labels is None:
        recordings, failures = _ask(args, chunks)
        found, beside = found_sections(recordings, chunks, args.depth)
        print(found_screen(found, beside, failures), end="", file=sys.stderr)
        labels = _dialogue(args, [*found, *beside])
    case = _case(args, labels, chunks)
    require_scenario(Row(WHERE, 0, 1, None), case.id, args.scenario)
    path = args.file or Path("data/golden") / f"{args.scenario}.yaml"
    text = appended(path, args.scenario, case)
    _check(args, case, chunks, others)
    write_text(path, text)
    print(dump_case(case), end="")
    print(f"written to {path}; record it: retrieval-eval capture baseline --case {case.id}", file=sys.stderr)
    return 0


def _ask(args: argparse.Namespace, chunks: Sequence[Chunk]) -> tuple[dict[str, Recording], dict[str, str]]:
    # Engines take a second to import: only those who are shown what is found wait for them.
    from stages.commands.engine_answers import EngineParams, open_answers
    from stages.retrievers.failure import EngineFailure

    params = read_params(EngineParams)
    case = Case(
        id="new",
        scenario=args.scenario,
        query=args.query,
        fault_type=None,
        lang=None,
        tags=(),
        answerable=True,
        expectations=(),
        evidence=Evidence(),
    )
    recordings: dict[str, Recording] = {}
    failures: dict[str, str] = {}
    for name in args.retrievers.split(","):
        if name not in {"bm25", "milvus", "hybrid"}:
            what = f"there is no retriever {name!r}"
            raise InputError([Problem("command line", 0, 0, "", what, "Name bm25, milvus or hybrid")])
        try:
            with open_answers(name, params, chunks) as answers:
                recordings[name] = answers.answer(case)
        except EngineFailure as failure:
            failures[name] = f"{failure.reason} ({failure.code})"
    return recordings, failures


def _dialogue(args: argparse.Namespace, sections: Sequence[FoundSection]) -> list[dict[str, Any]]:
    try:
        labels = asked_labels(sections)
        if labels and not args.keyword:
            args.keyword = asked_words("Words that must be seen, separated by commas (none: the breadcrumbs)")
        if not args.id and not slug(args.query):
            args.id = input("Id of the case (small letters, digits, dashes): ").strip()
    except EOFError:
        what = "the answers ended before the case was complete"
        raise InputError([Problem(WHERE, 0, 0, "", what, "Answer, or give --expect, --none and --id")]) from None
    return labels


def _case(args: argparse.Namespace, labels: list[dict[str, Any]], chunks: Sequence[Chunk]) -> GoldenCase:
    row = Row(WHERE, 0, 1, None)
    case_id = args.id or slug(args.query)
    if not case_id:
        raise row.fail("", "the question gives no id", "Give --id: small letters, digits, dashes")
    evidence = evidence_for(labels, CorpusLookup(chunks), args.keyword) if labels else None
    if labels and evidence is None:
        raise row.fail(case_id, "the labels name nothing of the corpus that could be seen", "Correct them")
    fields = {"query": args.query, "fault_type": args.fault_type, "lang": args.lang, "tags": args.tag}
    expected = {"documents": labels, "evidence": evidence} if labels else "none"
    return build_case(row, case_id, {**fields, "notes": args.notes, "expected": expected})


def _check(args: argparse.Namespace, case: GoldenCase, chunks: Sequence[Chunk], others: Sequence[LocatedCase]) -> None:
    """Refuse what `load` or `check` would refuse, before anything is written."""
    one = LocatedCase(case, args.scenario, WHERE, {})
    problems = [*case_problems(one), *duplicate_queries([*others, one])]
    problems += [finding.problem for finding in check_corpus([one], view_chunks(chunks, ()))]
    same = next((other for other in others if other.case.id == case.id), None)
    if same is not None:
        problems.append(Problem(WHERE, 1, 1, case.id, f"the id is used already, in {same.file}", "Give another --id"))
    if problems:
        raise InputError(problems)
