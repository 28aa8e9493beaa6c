"""What the retrieve stages hand to the score stages."""

from typing import Literal

from stages.records.record import Record
from stages.records.recording import Candidate, PathState

State = Literal["ok", "not_run", "error", "unavailable"]


class Ranking(Record):
    """The ranking of one case, cut at the depth that scoring needs.

    `complete` says that the path had no more to give than `candidates`; `depth` is how deep the ranking is known.
    """

    case_id: str
    state: State
    code: str | None = None
    reason: str | None = None
    degraded: str | None = None
    depth: int = 0
    complete: bool = False
    candidates: tuple[Candidate, ...] = ()


class RankingFile(Record):
    """The rankings of one path, sorted by case id, with what was left over."""

    path: str
    top_k: int
    state: PathState
    rankings: tuple[Ranking, ...]
    orphans: tuple[str, ...] = ()
