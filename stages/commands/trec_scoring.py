"""From a judgment file and a run to the hits of each query, with an account of every row."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.commands.trec_parts import Part, Scoring, score_grouped, score_scattered
from stages.core.hits import Hits, assemble_hits
from stages.core.trec_measures import TrecMeasure
from stages.records.problem import InputError, Problem
from stages.storage.trec.columns import Tally
from stages.storage.trec.judgment_file import read_judgments
from stages.storage.trec.run_file import RowsNotGroupedError

NAMES_SHOWN = 5


class Scored:
    """The hits of the queries that are scored, in the order of their ids, and what became of the rows."""

    def __init__(self) -> None:
        self.qrels = Tally()
        self.run = Tally()
        self.queries: list[str] = []
        self.hits: list[Hits] = []
        self.ties: dict[str, dict[str, tuple[float | None, float | None]]] = {}
        self.unjudged: list[str] = []
        self.unjudged_rows = 0
        self.absent: list[str] = []
        self.absent_counts = False
        self.unused_judgments = 0
        self.lookalikes: list[str] = []

    def take(self, part: Part) -> None:
        """Add what a part of the run held."""
        _, unjudged, ties, lookalikes, tally = part
        self.unjudged += unjudged
        self.unjudged_rows += sum(unjudged.values())
        self.ties |= ties
        self.lookalikes += lookalikes
        self.run.add(tally)

    def counts(self) -> dict[str, object]:
        """The account, for programs."""
        return {
            "queries": len(self.queries),
            "queries_without_judgments": len(self.unjudged),
            "queries_without_rows": len(self.absent),
            "queries_without_relevant": sum(not one.relevant for one in self.hits),
            "run_rows_read": self.run.rows,
            "run_rows_used": self.run.rows - self.unjudged_rows,
            "judgments_read": self.qrels.rows,
            "judgments_used": self.qrels.rows - self.unused_judgments,
            "comment_lines": self.run.comments + self.qrels.comments,
            "rows_with_extra_columns": self.run.wide,
        }

    def account(self) -> list[str]:
        """The account, in sentences."""
        used, judged = self.run.rows - self.unjudged_rows, self.qrels.rows - self.unused_judgments
        rows = f"run: {self.run.rows} rows read, {used} used"
        told = [f"{rows}; judgments: {self.qrels.rows} read, {judged} used; queries scored: {len(self.queries)}."]
        if self.unjudged:
            told.append(f"In the run without judgments, and left out: {_named(self.unjudged)}.")
        if self.absent:
            fate = "scored 0" if self.absent_counts else "left out (-c scores them 0)"
            told.append(f"Judged without a row in the run, and {fate}: {_named(self.absent)}.")
        barren = [query for query, one in zip(self.queries, self.hits, strict=True) if not one.relevant]
        if barren:
            told.append(f"Without a relevant document, and scored 0 as trec_eval does: {_named(barren)}.")
        if self.run.wide:
            told.append(f"{self.run.wide} rows of the run have more than six columns; the others are ignored.")
        if self.run.comments + self.qrels.comments:
            told.append(f"{self.run.comments + self.qrels.comments} lines begin with # and are comments.")
        return told + self.lookalikes


def score_files(args: argparse.Namespace, run: Path, ranged: Sequence[TrecMeasure] = ()) -> Scored:
    """Read the judgments and a run, and find the hits.

    Args:
        args: The options: qrels, order, level, complete.
        run: The run.
        ranged: The measures to see under other orders of equal scores.

    Raises:
        InputError: Everything wrong with a file, or no query in common.
    """
    scored = Scored()
    judgments = read_judgments(args.qrels, scored.qrels)
    scoring = Scoring(run, judgments, args.level, args.order == "rank", ranged)
    try:
        parts = score_grouped(scoring)
    except RowsNotGroupedError:
        parts = score_scattered(scoring)
    found = {query: Hits(*values) for part in parts for query, values in part[0].items()}
    for part in parts:
        scored.take(part)
    scored.absent = sorted(query.decode() for query in judgments.keys() - found.keys())
    if not found:
        what = f"no query of the run is judged in {args.qrels}: {_named(sorted(scored.unjudged))}"
        raise InputError([Problem(str(run), 0, 0, "", what, "Check that both files use the same query ids")])
    if args.complete:
        scored.absent_counts = True
        missing = judgments.keys() - found.keys()
        found |= {query: assemble_hits([], judgments[query].values(), 0, level=args.level) for query in missing}
    scored.unused_judgments = sum(len(judged) for query, judged in judgments.items() if query not in found)
    ordered = sorted(found.items())
    scored.queries = [query.decode() for query, _ in ordered]
    scored.hits = [hits for _, hits in ordered]
    scored.ties = dict(sorted(scored.ties.items()))
    scored.unjudged.sort()
    scored.lookalikes.sort()
    return scored


def _named(names: list[str]) -> str:
    shown = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"{len(names)} ({shown}{more})"
