"""One case in the terminal: what each path found, and what of it matched."""

from stages.records.case import Case
from stages.records.record import Record
from stages.records.scored import FailedCheck


class ShownCandidate(Record):
    """One candidate on the evidence ladder: document, section, breadcrumb, keywords; None where no rule matched."""

    rank: int
    name: str
    score: float | None
    relevance: int | None
    document: str | None
    section: str | None
    breadcrumb: bool
    keywords: tuple[str, ...]


class ShownPath(Record):
    """What one path makes of the case; `label` is its level or the state in its place."""

    path: str
    label: str
    reason: str | None
    first_hit_rank: int | None
    failed_checks: tuple[FailedCheck, ...]
    candidates: tuple[ShownCandidate, ...]


class ShownCase(Record):
    """The case, where it is written, and every path that has something to say."""

    case: Case
    file: str
    line: int
    top_k: int
    paths: tuple[ShownPath, ...]
