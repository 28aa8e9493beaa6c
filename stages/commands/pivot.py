"""Show one metric by group and path: where do bm25, milvus and the baseline part ways?

Reads what the pipeline scored (run `dvc repro` first). Example:

  retrieval-eval pivot --by fault_type --metric recall_at_k --paths fixture bm25 milvus

Exit codes: 0 done; 2 bad input or usage.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from stages.records.problem import InputError, Problem
from stages.records.scored import ScoredPath
from stages.storage.json_file import dump_json
from stages.storage.record_file import read_record

if TYPE_CHECKING:
    import pandas as pd

SCORED = Path("data/build/scored")
BY = ("fault_type", "scenario", "lang", "tag")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--by", choices=BY, default="fault_type", help="what the rows are (default fault_type)")
    add("--metric", default="recall_at_k", help="a metric of cases.jsonl, or strong, medium, miss: their shares")
    add("--paths", nargs="+", default=["fixture", "bm25", "milvus", "hybrid"], help="which paths the columns are")
    add("--scored", type=Path, default=SCORED, help=f"folder of scored paths (default {SCORED})")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--csv", action="store_true", help="print CSV")
    shape.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from stages.core.pivot import known_metrics, pivot

    paths = {name: _read(args.scored / f"{name}.json") for name in dict.fromkeys(args.paths)}
    try:
        table = pivot(paths, args.by, args.metric)
    except KeyError:
        known = ", ".join(known_metrics(paths))
        what = f"no scored case has the metric {args.metric!r}"
        raise InputError([Problem("--metric", 0, 0, "", what, f"Take one of {known}")]) from None
    print(_shown(table, args), end="")
    return 0


def _read(file: Path) -> ScoredPath:
    if not file.exists():
        remedy = "Run `dvc repro`, or correct --paths"
        raise InputError([Problem(str(file), 0, 0, "", "this path was not scored", remedy)])
    return read_record(file, ScoredPath)


def _shown(table: "pd.DataFrame", args: argparse.Namespace) -> str:
    if args.json:
        plain = table.astype(object).where(table.notna(), None)
        return dump_json({str(group): dict(row) for group, row in plain.to_dict(orient="index").items()})
    if args.csv:
        return str(table.to_csv(float_format="%.6f", lineterminator="\n"))
    return f"{args.metric}\n{table.to_string(float_format='{:.3f}'.format, na_rep='–')}\n"
