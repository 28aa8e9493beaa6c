"""Foreign ids to case ids: file-name safe, unique, and never changed without a remark."""

import re
import unicodedata

from stages.records.problem import Problem
from stages.storage.formats.rows import Row

LONGEST = 100


class CaseIds:
    """Hands out one case id for each foreign id of a file, in order."""

    def __init__(self) -> None:
        self.remarks: list[Problem] = []
        self._by_foreign: dict[str, str] = {}

    def claim(self, foreign: object, row: Row) -> str:
        """Return the case id for a foreign id; a changed one is remarked.

        Raises:
            InputError: no id, or an id which an earlier row has.
        """
        if not isinstance(foreign, (str, int)) or isinstance(foreign, bool) or not str(foreign).strip():
            raise row.fail("", "the case has no id", "Give it one")
        text = str(foreign).strip()
        if text in self._by_foreign:
            raise row.fail(self._by_foreign[text], f"the id {text!r} is used twice", "Give one of the two another id")
        case_id = self._free(slug(text) or f"case-{row.number}")
        self._by_foreign[text] = case_id
        if case_id != text:
            what = f"the id {text!r} cannot be a file name; the case is called {case_id!r}"
            self.remarks.append(row.problem(case_id, what, "Nothing need be done"))
        return case_id

    def claimed(self) -> list[tuple[str, str]]:
        """Return every foreign id with its case id, in the order they were claimed."""
        return list(self._by_foreign.items())

    def _free(self, wanted: str) -> str:
        taken = set(self._by_foreign.values())
        candidates = [wanted, *(f"{wanted[: LONGEST - 5]}-{number}" for number in range(2, len(taken) + 3))]
        return next(candidate for candidate in candidates if candidate not in taken)


def slug(text: str) -> str:
    """Return `text` as a case id: lower case, with a dash for whatever a case id cannot hold."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[^a-z0-9_-]+", "-", plain).strip("-_")[:LONGEST]
