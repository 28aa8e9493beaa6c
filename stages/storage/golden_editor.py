"""Changes to golden files which touch nothing else, and say what was asked: else they are not made."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import yaml

from stages.records.golden_edit import GoldenEdit
from stages.records.problem import InputError, Problem
from stages.storage.golden_asked import asked
from stages.storage.golden_splices import Splice, spliced, splices
from stages.storage.yaml_file import parse_yaml

SHARED = "an alias shares what is to change with other places"


def edit_golden(text: str, edits: Sequence[GoldenEdit]) -> str:
    """Return the text of a golden file after its edits, whose places all mean the text as it is given.

    Raises:
        KeyError: a case or a place is not there.
        InputError: other places would change too, since an alias shares the text with them.
    """
    changed, left = patch_golden(text, [edits])
    if left:
        document = parse_yaml(text, edits[0].file)
        lines = {case["id"]: document.place(("cases", at))[0] for at, case in enumerate(document.data["cases"])}
        remedy = "Write it out, or change it by hand"
        raise InputError([Problem(edit.file, lines[edit.case_id], 0, edit.case_id, SHARED, remedy) for edit in edits])
    return changed


def patch_golden(text: str, patches: Sequence[Sequence[GoldenEdit]]) -> tuple[str, set[int]]:
    """Make each patch whole or not at all; return the text after those that were made, and which were left.

    A patch is left where the file would then say anything else than what was asked, since an alias shares the text
    with other places. What is asked for each place that shares a text is made once, for all of them.

    Raises:
        KeyError: a case or a place is not there.
    """
    data = parse_yaml(text, "").data
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    wanted = [splices(text, root, edits) for edits in patches]

    def edited(chosen: Iterable[int]) -> str:
        return spliced(text, set[Splice]().union(*(wanted[index] for index in chosen)))

    def holds(chosen: Iterable[int]) -> bool:
        return _says(edited(chosen), asked(data, [edit for index in chosen for edit in patches[index]]))

    made = _settled(_sharing(wanted), [], holds)
    return edited(made), set(range(len(patches))) - set(made)


def _settled(groups: Sequence[list[int]], made: list[int], holds: Callable[[list[int]], bool]) -> list[int]:
    """Add the groups that hold beside what is made: all at once where they do, else each half by itself."""
    together = [*made, *(index for group in groups for index in group)]
    if holds(together):
        return together
    if len(groups) < 2:  # noqa: PLR2004 (nothing to halve)
        return made
    middle = len(groups) // 2
    return _settled(groups[middle:], _settled(groups[:middle], made, holds), holds)


def _says(text: str, data: Any) -> bool:
    try:
        return bool(parse_yaml(text, "").data == data)
    except InputError:
        return False


def _sharing(wanted: Sequence[set[Splice]]) -> list[list[int]]:
    """Patches that change the same characters, together: for one of them alone it would be wrong."""
    groups: list[tuple[list[int], set[Splice]]] = []
    for index, own in enumerate(wanted):
        touching = [group for group in groups if group[1] & own]
        groups = [group for group in groups if not group[1] & own]
        members = [member for group in touching for member in group[0]]
        groups.append(([*members, index], own.union(*(group[1] for group in touching))))
    return [members for members, _ in groups]
