"""From a judgment file and a run to the hits of each query, with an account of every row."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stages.core.hits import Hits, assemble_hits
from stages.core.score_order import find_scored_hits, order_by_score
from stages.core.trec_measures import TrecMeasure
from stages.records.problem import InputError, Problem
from stages.storage.trec.columns import Tally
from stages.storage.trec.judgment_file import Judgments, read_judgments
from stages.storage.trec.run_file import Ranked, RowsNotGroupedError, read_grouped_run, read_scattered_run

if TYPE_CHECKING:
    from stages.core.tie_sensitivity import TieRange

NAMES_SHOWN = 5

Reader = Callable[..., Iterator[Ranked]]


class Scored:
    """The hits of the queries that are scored, in the order of their ids, and what became of the rows."""

    def __init__(self) -> None:
        self.qrels = Tally()
        self.run = Tally()
        self.queries: list[str] = []
        self.hits: list[Hits] = []
        self.ties: dict[str, dict[str, TieRange]] = {}
        self.unjudged: list[str] = []
        self.unjudged_rows = 0
        self.absent: list[str] = []
        self.absent_counts = False
        self.unused_judgments = 0
        self.lookalikes: list[str] = []

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
    tally = Tally()
    judgments = read_judgments(args.qrels, tally)
    try:
        found, scored = _collect(read_grouped_run, run, args, judgments, ranged)
    except RowsNotGroupedError:
        found, scored = _collect(read_scattered_run, run, args, judgments, ranged)
    scored.qrels = tally
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


def _collect(
    reader: Reader, run: Path, args: argparse.Namespace, judgments: Judgments, ranged: Sequence[TrecMeasure]
) -> tuple[dict[bytes, Hits], Scored]:
    scored, found = Scored(), dict[bytes, Hits]()
    level: int = args.level
    for query, scores in reader(run, scored.run, by_rank=args.order == "rank"):
        judged = judgments.get(query)
        if judged is None:
            scored.unjudged.append(query.decode())
            scored.unjudged_rows += len(scores)
            continue
        found[query] = find_scored_hits(judged, scores, level)
        if ranged and (ranges := _ranges(judged, scores, ranged, level)):
            scored.ties[query.decode()] = ranges
        if not scored.run.ascii:
            scored.lookalikes += _lookalikes(run, query, judged, scores)
    return found, scored


def _ranges(
    judged: dict[bytes, int], scores: dict[bytes, float], ranged: Sequence[TrecMeasure], level: int
) -> "dict[str, TieRange]":
    from stages.core.tie_sensitivity import tie_ranges

    values = {measure.name: measure.value for measure in ranged if measure.value}
    return tie_ranges(judged, order_by_score(scores), sorted(scores.values(), reverse=True), values, level)


def _lookalikes(path: Path, query: bytes, judged: dict[bytes, int], scores: dict[bytes, float]) -> list[str]:
    """Judged ids that are not in the run while another spelling of the same characters is."""
    from unicodedata import normalize

    lost = [document for document in judged.keys() - scores.keys() if not document.isascii()]
    seen = {normalize("NFC", document.decode()) for document in scores} if lost else set()
    return [
        f"{path}: query {query.decode()}: {document.decode()!r} looks like a judged id and is spelt with other bytes; "
        "they do not match. Normalise both files to NFC."
        for document in lost
        if normalize("NFC", document.decode()) in seen
    ]


def _named(names: list[str]) -> str:
    shown = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"{len(names)} ({shown}{more})"
