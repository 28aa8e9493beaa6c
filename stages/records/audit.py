"""What the golden set can see, and what it is blind to."""

from pydantic import Field

from stages.records.record import Record


class KillCount(Record):
    """How many mutants there were, and how many the gate noticed; the share is null without mutants."""

    mutants: int
    killed: int
    killed_share: float | None


class Survivor(Record):
    """A damage that nobody would notice: its kind, and the questions (of one fault type, about one document) it hit."""

    fault_type: str
    document: str
    damage: str
    detail: str = Field(description="What tells mutants of one kind and place apart, such as the arm removed; or empty")
    cases: tuple[str, ...]


class Saturation(Record):
    """Cases with nothing left to gain: strong, first at rank 1, recall 1."""

    cases: int
    saturated: int
    saturated_share: float | None


class Circularity(Record):
    """Cases whose relevant labels are exactly the first results of one retriever, as many as there are labels."""

    retriever: str
    cases: int
    equal: int
    equal_share: float | None
    case_ids: tuple[str, ...]


class Coverage(Record):
    """How many cases ask about each value of each property, and which documents and sections nobody asks for."""

    by_scenario: dict[str, int]
    by_fault_type: dict[str, int]
    by_lang: dict[str, int]
    by_section: dict[str, int] = Field(description="Name of the section to the cases that expect it")
    documents: int
    documents_expected: int
    documents_never_expected: tuple[str, ...]
    sections: int
    sections_expected: int


class Advice(Record):
    """How many cases to add where, and why."""

    where: str
    add: int
    why: str


class AuditReport(Record):
    """The audit of one golden set over one path's recordings."""

    path: str
    mutants: int
    killed: int
    killed_share: float | None
    by_fault_type: dict[str, KillCount]
    by_damage: dict[str, KillCount]
    by_rule: dict[str, int] = Field(description="Rule of the gate to the mutants it noticed; one may be noticed twice")
    blind_fault_types: tuple[str, ...]
    blind_damage: tuple[str, ...]
    survivors: tuple[Survivor, ...]
    cases_that_kill_none: tuple[str, ...]
    saturation: Saturation
    saturation_by_fault_type: dict[str, Saturation]
    circularity: tuple[Circularity, ...]
    coverage: Coverage
    advice: tuple[Advice, ...]
