"""A judgment file (qrels): which document has which grade for which query."""

from pathlib import Path

from stages.records.problem import InputError
from stages.storage.trec.blocks import read_blocks
from stages.storage.trec.columns import Tally, judgment_columns
from stages.storage.trec.row_rules import RowError

Judgments = dict[bytes, dict[bytes, int]]


def read_judgments(path: Path, tally: Tally) -> Judgments:
    """Read query to document to grade; ids stay the bytes they are.

    Raises:
        InputError: Everything wrong with the file; a (query, document) pair may be judged once only.
    """
    judgments: Judgments = {}
    judged, last = dict[bytes, int](), b""
    for block in read_blocks(path):
        try:
            queries, documents, grades = judgment_columns(block, tally)
        except RowError:
            raise _refusal(path) from None
        for query, document, grade in zip(queries, documents, grades, strict=True):
            if query != last:
                judged, last = judgments.setdefault(query, {}), query
            judged[document] = grade
    if not judgments or sum(map(len, judgments.values())) != tally.rows:
        raise _refusal(path)
    return judgments


def _refusal(path: Path) -> InputError:
    from stages.storage.trec.faults import refuse_judgments

    return refuse_judgments(path)
