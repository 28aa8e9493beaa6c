"""The ledger: strict, and every fault at its place."""

import pytest

from stages.records.problem import InputError
from stages.storage.ledger import parse_ledger, write_ledger

ENTRY = "accepted:\n  - case: a\n    level: miss\n    reason: known\n    until: 2026-01-31\n"
SEE = "Correct it; docs/review.md shows every field"


@pytest.mark.parametrize(
    ("old", "new", "screen"),
    [
        ("case: a", "case: 0012", '2:5: accepted[1].case is 0012, which is no text. Put it in quotes: "0012"'),
        ("reason: known", "reason: 1e3", '4:5: accepted[1].reason is 1e3, which is no text. Put it in quotes: "1e3"'),
        (
            "2026-01-31",
            "1769817600",
            f"5:5: accepted[1].until is 1769817600, which is no day such as 2026-01-31. {SEE}",
        ),
        ("2026-01-31", "'0'", f"5:5: accepted[1].until is '0', which is no day such as 2026-01-31. {SEE}"),
        (
            "2026-01-31",
            "2026-02-30",
            f"5:5: accepted[1].until is '2026-02-30', which is no day such as 2026-01-31. {SEE}",
        ),
        (
            "2026-01-31",
            "2026-01-31T00:00:00",
            f"5:5: accepted[1].until is '2026-01-31T00:00:00', which is no day such as 2026-01-31. {SEE}",
        ),
        ("level: miss", "lvl: miss", f"2:5: accepted[1].level is missing. {SEE}"),
    ],
)
def test_a_faulty_entry_gets_its_line(old, new, screen):
    with pytest.raises(InputError) as caught:
        parse_ledger(ENTRY.replace(old, new), "accepted.yaml")
    assert str(caught.value).splitlines()[0] == f"accepted.yaml:{screen}."


def test_what_is_written_is_read_again(tmp_path):
    entries = parse_ledger(ENTRY, "accepted.yaml")
    write_ledger(tmp_path / "accepted.yaml", entries)
    assert parse_ledger((tmp_path / "accepted.yaml").read_text(encoding="utf-8"), "accepted.yaml") == entries
