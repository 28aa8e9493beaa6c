"""What the gate is given: both sides, and what softens a rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from stages.core.case_outcome import LEVEL_ORDER, outcome
from stages.records.accepted import AcceptedCase
from stages.records.scored import ScoredCase


@dataclass(frozen=True)
class GatePair:
    """Both sides of one path by case id.

    Attributes:
        old: The cases of BASE; empty where there is none.
        new: The cases to be merged.
        ledger: The accepted failures.
        today: The day on which the ledger is read.
        optimistic: What cases that lost would be, were the candidates relevant which nobody judged and which BASE
            did not have.
    """

    old: Mapping[str, ScoredCase]
    new: Mapping[str, ScoredCase]
    ledger: Sequence[AcceptedCase] = ()
    today: date = date.min
    optimistic: Mapping[str, ScoredCase] = field(default_factory=dict)

    @cached_property
    def common(self) -> list[str]:
        """Ids of the cases which both sides scored, sorted."""
        return sorted(id_ for id_ in self.old.keys() & self.new.keys() if outcome(self.old[id_], self.new[id_]))

    @cached_property
    def accepted(self) -> dict[str, str]:
        """Case id to accepted level, for the entries which have not expired."""
        return {entry.case: entry.level for entry in self.ledger if entry.until >= self.today}

    def excused(self, case_id: str) -> bool:
        """Whether the ledger accepts the case at the level it now has, or its removal."""
        accepted, case = self.accepted.get(case_id), self.new.get(case_id)
        if accepted is None or case is None or case.level is None:
            return accepted == "removed" and case is None
        return accepted != "removed" and LEVEL_ORDER[case.level] >= LEVEL_ORDER[accepted]
