"""Counting a capture while it runs, and the state of the path that follows from it."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from stages.core.health_reading import Readiness
from stages.records.recording import CaseFailure, PathState, Recording

MOST_INDEXES = 10
# These say something of one case's query, and nothing of the service.
OF_ONE_CASE = {"query_too_long", "http_404"}
# From so many cases on, one and the same ranking for all of them is no coincidence.
FEWEST_ALIKE = 3


class CaptureTally:
    """Counts only: memory does not grow with the answers."""

    def __init__(self) -> None:
        self.answered = 0
        self.partial: Counter[str] = Counter()
        self.failed: dict[str, CaseFailure] = {}
        self.down_in_a_row = 0
        self.same_in_a_row = 0
        self._last_code: str | None = None
        self._indexes: set[str] = set()
        self._rankings: set[tuple[tuple[str | None, ...], ...]] = set()

    def add(self, case_id: str, outcome: Recording | CaseFailure) -> None:
        """Count one outcome."""
        if isinstance(outcome, CaseFailure):
            self.failed[case_id] = outcome
            self.down_in_a_row = self.down_in_a_row + 1 if outcome.state == "unavailable" else 0
            if outcome.code not in OF_ONE_CASE:
                self.same_in_a_row = self.same_in_a_row + 1 if outcome.code == self._last_code else 1
                self._last_code = outcome.code
            return
        self.answered += 1
        if len(self._rankings) <= 1:
            self._rankings.add(tuple((c.doc_id, c.title, c.section, c.chunk_id) for c in outcome.candidates))
        self.down_in_a_row = self.same_in_a_row = 0
        if outcome.code:
            self.partial[outcome.code] += 1
        if outcome.index and len(self._indexes) < MOST_INDEXES:
            self._indexes.add(json.dumps(outcome.index, ensure_ascii=False, sort_keys=True))

    def in_vain(self, cases: int) -> bool:
        """Whether that many cases in a row found the service unavailable, or failed with one and the same code."""
        return max(self.down_in_a_row, self.same_in_a_row) >= cases

    def all_alike(self) -> str | None:
        """Say so where every case got one and the same ranking, which is an answer and hardly a good one."""
        if self.answered < FEWEST_ALIKE or len(self._rankings) > 1:
            return None
        if self._rankings == {()}:
            return f"nothing was found for any of {self.answered} cases; is the index empty?"
        return f"all {self.answered} cases got the same results; does the request hold the query?"

    def indexes(self) -> list[Any]:
        """Return the distinct index metadata of the answers, ten at most."""
        return [json.loads(text) for text in sorted(self._indexes)]

    def most_frequent_failure(self) -> CaseFailure:
        """Return the first failure of the most frequent code; there must be one."""
        counts = Counter(failure.code for failure in self.failed.values())
        code = min(counts, key=lambda one: (-counts[one], one))
        return next(failure for failure in self.failed.values() if failure.code == code)


def captured_state(
    tally: CaptureTally, readiness: Readiness, before: PathState, kept: Mapping[str, str | None], captured_at: str
) -> PathState:
    """Return the state after a capture that answered at least one case.

    Args:
        tally: The counts; answers taken over from an interrupted capture included.
        readiness: What the health check said.
        before: The state until now.
        kept: Cases with a recording that is not renewed, and when that was made.
        captured_at: When this capture started.
    """
    asked = tally.answered + len(tally.failed)
    status, code, reason = readiness.status, readiness.code, readiness.reason
    if tally.partial:
        count = sum(tally.partial.values())
        status, code = "degraded", min(tally.partial)
        reason = f"{count} of {asked} answers are partial"
    if tally.failed:
        failure = tally.most_frequent_failure()
        status, code = "degraded", "some_failed"
        reason = f"{len(tally.failed)} of {asked} cases have no answer, most often: {failure.reason} ({failure.code})"
    return PathState(
        path=before.path,
        status=status,
        code=code,
        reason=reason,
        captured_at=captured_at,
        failed=dict(sorted(tally.failed.items())),
        earlier={case_id: moment for case_id, moment in sorted(kept.items()) if moment},
    )


def unavailable_state(before: PathState, code: str, reason: str) -> PathState:
    """Return the state of a path that could not be captured; all that is told of the last good capture stays."""
    return before.model_copy(update={"status": "unavailable", "code": code, "reason": reason})
