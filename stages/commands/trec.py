"""`retrieval-eval trec QRELS RUN`: score a run against judgments as trec_eval does.

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stages.commands.trec_scoring import Scored, score_files
from stages.core.trec_measures import TrecMeasure, parse_trec_measures
from stages.core.trec_scores import names_with_twins, score_column, summarise
from stages.records.problem import InputError, Problem

RUN_ID = "runid"
EXAMPLE = """\
examples:
  retrieval-eval trec qrels.txt run.txt
  retrieval-eval trec qrels.txt run.txt.gz -q -m ndcg_cut.10 -m recall@100 --json

Measures go by trec_eval's names (map, P_10, ndcg_cut.5,10, official, set, all_trec) or by ours (recall@5).
docs/metrics.md says what each means, and how each odd row is taken.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.epilog = EXAMPLE
    parser.add_argument("qrels", type=Path, help="judgments: query, iteration, document, grade; plain or gzip")
    parser.add_argument("run", type=Path, help="rankings: query, Q0, document, rank, score, name; plain or gzip")
    parser.add_argument("-m", "--metric", action="append", metavar="METRIC", help="may be repeated (default: official)")
    parser.add_argument("-q", "--per-query", action="store_true", help="print each query too, also of --against")
    parser.add_argument("-c", "--complete", action="store_true", help="queries that are not in the run score 0")
    parser.add_argument("-l", "--level", type=_level, default=1, help="lowest grade that is relevant (default: 1)")
    parser.add_argument(
        "--order", choices=("score", "rank"), default="score", help="score, ties by id as trec_eval; or the rank column"
    )
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--ties", action="store_true", help="show what depends on the order of equal scores")
    one.add_argument("--against", type=Path, metavar="RUN", help="compare with this earlier run, paired by query")
    parser.add_argument("--json", action="store_true", help="print JSON, at full precision")


def _level(text: str) -> int:
    level = int(text)
    if level < 1:
        raise argparse.ArgumentTypeError(f"{level} is no grade of a relevant document; they begin at 1")
    return level


def run(args: argparse.Namespace) -> int:
    """Score, print, and account for every row."""
    # A run becomes millions of small objects and no cycle among them; looking for some, while it is scored and once
    # more at the end of the program, costs a tenth of the time.
    gc.disable()
    code = _score(args)
    gc.freeze()
    return code


def _score(args: argparse.Namespace) -> int:
    measures = _measures(args)
    try:
        return _compare(args, measures) if args.against else _print(args, measures)
    except InputError as error:
        raise _all_faults(args, error.problems) from None


def _print(args: argparse.Namespace, measures: list[TrecMeasure]) -> int:
    ranged = [measure for measure in measures if args.ties and measure.is_monotone]
    scored = score_files(args, args.run, ranged)
    columns = [score_column(measure, scored.hits) for measure in measures]
    totals = [summarise(measure, column, scored.hits) for measure, column in zip(measures, columns, strict=True)]
    if args.json:
        _print_json(args, scored, measures, columns, totals)
    else:
        sys.stdout.write("".join(_lines(args, scored, measures, columns, totals)))
    for sentence in scored.account():
        print(sentence, file=sys.stderr)
    return 0


def _compare(args: argparse.Namespace, measures: list[TrecMeasure]) -> int:
    from stages.commands.trec_comparison import compare_runs, comparison_table, per_query, per_query_table

    after = score_files(args, args.run)
    before = score_files(args, args.against)
    found = compare_runs(before, after, measures)
    if args.json:
        sides = {"before": before.counts(), "after": after.counts()}
        data = {"comparison": {name: one.as_data() for name, one in found.items()}, "counts": sides}
        _dump(data | ({"per_query": per_query(before, after, measures)} if args.per_query else {}))
    else:
        queries = per_query_table(per_query(before, after, measures)) if args.per_query else ""
        print(queries + comparison_table(found), end="")
    for path, scored in ((args.against, before), (args.run, after)):
        for sentence in scored.account():
            print(f"{path}: {sentence}", file=sys.stderr)
    return 0


def _measures(args: argparse.Namespace) -> list[TrecMeasure]:
    names = [name for name in args.metric or ["official"] if name != RUN_ID]
    try:
        return parse_trec_measures(names)
    except ValueError:
        raise _all_faults(args, _unknown(names)) from None


def _unknown(names: list[str]) -> list[Problem]:
    problems = []
    for name in names:
        try:
            parse_trec_measures([name])
        except ValueError as error:
            problems.append(Problem("-m", 0, 0, "", str(error), "See docs/metrics.md"))
    return problems


def _all_faults(args: argparse.Namespace, problems: Sequence[Problem]) -> InputError:
    """The problems, with what is wrong with each of the files; imported here, since most often nothing is wrong."""
    from stages.commands.trec_faults import file_problems

    return InputError([*problems, *file_problems(args)])


def _shows_run_id(args: argparse.Namespace) -> bool:
    return args.metric is None or bool({"official", "all_trec", RUN_ID} & set(args.metric))


def _lines(
    args: argparse.Namespace, scored: Scored, measures: list[TrecMeasure], columns: list[Any], totals: list[Any]
) -> list[str]:
    lines = []
    if args.per_query:
        single = [(measure, column) for measure, column in zip(measures, columns, strict=True) if measure.value]
        for at, query in enumerate(scored.queries):
            lines += [_line(measure, query, column[at]) for measure, column in single]
    if _shows_run_id(args):
        lines.append(f"{RUN_ID:<22}\tall\t{scored.run.tag}\n")
    lines += [_line(measure, "all", total) for measure, total in zip(measures, totals, strict=True)]
    for query, ranges in scored.ties.items():
        lines += [f"{name:<22}\t{query}\t{_shown(low)}..{_shown(high)}\n" for name, (low, high) in ranges.items()]
    return lines


def _line(measure: TrecMeasure, query: str, value: float | None) -> str:
    is_count = measure.average in ("sum", "queries")
    return f"{measure.name:<22}\t{query}\t{value if is_count else _shown(value)}\n"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:6.4f}"


def _print_json(
    args: argparse.Namespace, scored: Scored, measures: list[TrecMeasure], columns: list[Any], totals: list[Any]
) -> None:
    names = names_with_twins(measures)
    single = [(name, columns[number]) for name, number in names if measures[number].value]
    answer: dict[str, Any] = {RUN_ID: scored.run.tag} if _shows_run_id(args) else {}
    answer |= {
        "per_query": {query: {name: column[at] for name, column in single} for at, query in enumerate(scored.queries)},
        "mean": {name: totals[number] for name, number in names},
        "counts": scored.counts() | {"values": {name: len(column) - column.count(None) for name, column in single}},
    }
    if args.ties:
        answer["ties"] = {
            query: {name: {"min": low, "max": high} for name, (low, high) in ranges.items()}
            for query, ranges in scored.ties.items()
        }
    _dump(answer)


def _dump(answer: dict[str, Any]) -> None:
    import json

    # At full precision, so past the writer of files, which rounds.
    json.dump(answer, sys.stdout, ensure_ascii=False, allow_nan=False, indent=2)
    print()
