"""A fault in what a user wrote, with its place and its remedy."""

from typing import NamedTuple


class Problem(NamedTuple):
    """One thing wrong with an input.

    A named tuple and no dataclass: every command has it, and importing `dataclasses` takes longer than a small task.

    Attributes:
        file: The file as the user named it, relative where possible.
        line: Line, from 1; 0 where the whole file is meant.
        column: Column, from 1; 0 where the whole line is meant.
        case_id: The golden case concerned, or empty.
        message: What is wrong, with the value as written; no final full stop.
        remedy: What to do; no final full stop.
    """

    file: str
    line: int
    column: int
    case_id: str
    message: str
    remedy: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        case = f"case {self.case_id}: " if self.case_id else ""
        return f"{place}: {case}{self.message}. {self.remedy}."


class InputError(Exception):
    """Everything wrong with the input of one run, never only the first thing."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))
