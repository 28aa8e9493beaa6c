"""A run scored in one part or in two, the second in a process of its own; a part is plain data, to be sent home."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.core.score_order import find_scored_hits, order_by_score
from stages.core.trec_measures import TrecMeasure
from stages.storage.trec import spans
from stages.storage.trec.blocks import WHOLE
from stages.storage.trec.columns import Tally
from stages.storage.trec.judgment_file import Judgments
from stages.storage.trec.run_file import Ranked, RowsNotGroupedError, gather_lines, read_gathered_run, read_grouped_run

Ranges = dict[str, tuple[float | None, float | None]]
# Hits by query; rows by query without judgments; ties by query and measure; remarks on ids; the tally.
Part = tuple[
    dict[bytes, tuple[Any, ...]], dict[str, int], dict[str, Ranges], list[str], tuple[int, int, int, str, bool]
]


class Scoring(NamedTuple):
    """What is scored, and how.

    Attributes:
        run: The run.
        judgments: Query to document to grade.
        level: The lowest grade that counts as relevant.
        by_rank: Whether the rank column gives the order.
        ranged: The measures to see under other orders of equal scores.
    """

    run: Path
    judgments: Judgments
    level: int
    by_rank: bool
    ranged: Sequence[TrecMeasure]


def score_grouped(scoring: Scoring) -> list[Part]:
    """Score a run whose rows are grouped by query.

    Raises:
        InputError: Everything wrong with the file.
        RowsNotGroupedError: The rows are not grouped.
    """
    parted = spans.halves(scoring.run)
    halves = parted if parted and _has_spare_processor() else (WHOLE,)

    def score(at: int) -> Part:
        tally = Tally()
        return _part(read_grouped_run(scoring.run, tally, by_rank=scoring.by_rank, span=halves[at]), tally, scoring)

    parts = _one_or_two(score, len(halves))
    queries = [part[0].keys() | {query.encode() for query in part[1]} for part in parts]
    if len(queries) > 1 and not queries[0].isdisjoint(queries[1]):
        raise RowsNotGroupedError
    return parts


def score_scattered(scoring: Scoring) -> list[Part]:
    """Score a run whose rows stand in any order.

    Raises:
        InputError: Everything wrong with the file.
    """
    count = 2 if scoring.run.stat().st_size >= spans.LARGE_BYTES and _has_spare_processor() else 1

    def score(at: int) -> Part:
        tally = Tally()
        # Each process reads the whole file and keeps half of it: cheaper than to share all, in time and in memory.
        lines = gather_lines(scoring.run, by_rank=scoring.by_rank, half=at if count > 1 else None)
        # Taken out one by one, so that they are let go one by one.
        gathered = (lines.pop(query) for query in list(lines))
        return _part(read_gathered_run(scoring.run, gathered, tally, by_rank=scoring.by_rank), tally, scoring)

    return _one_or_two(score, count)


def _has_spare_processor() -> bool:
    from stages.commands.second_process import has_spare_processor

    return has_spare_processor()


def _one_or_two(score: Callable[[int], Part], count: int) -> list[Part]:
    if count == 1:
        return [score(0)]
    from stages.commands.second_process import beside

    with beside(lambda: score(1)) as answer:
        return [score(0), answer()]


def _part(ranked: Iterator[Ranked], tally: Tally, scoring: Scoring) -> Part:
    found: dict[bytes, tuple[Any, ...]] = {}
    unjudged: dict[str, int] = {}
    ties: dict[str, Ranges] = {}
    lookalikes: list[str] = []
    for query, scores in ranked:
        judged = scoring.judgments.get(query)
        if judged is None:
            unjudged[query.decode()] = len(scores)
            continue
        found[query] = tuple(find_scored_hits(judged, scores, scoring.level))
        if scoring.ranged and (ranges := _ranges(judged, scores, scoring)):
            ties[query.decode()] = ranges
        if not tally.ascii:
            lookalikes += _lookalikes(scoring.run, query, judged, scores)
    return found, unjudged, ties, lookalikes, tally.as_data()


def _ranges(judged: dict[bytes, int], scores: dict[bytes, float], scoring: Scoring) -> Ranges:
    from stages.core.tie_sensitivity import tie_ranges

    values = {measure.name: measure.value for measure in scoring.ranged if measure.value}
    ordered = sorted(scores.values(), reverse=True)
    ranges = tie_ranges(judged, order_by_score(scores), ordered, values, scoring.level)
    return {name: (low, high) for name, (low, high) in ranges.items()}


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
