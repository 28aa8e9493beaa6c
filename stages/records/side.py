"""One side of a comparison: everything that a revision says about one path."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ConfigDict

from stages.records.case import Case
from stages.records.record import Record
from stages.records.recording import PathState, Recording
from stages.records.scored import Level
from stages.records.yardstick import Yardstick


class ReportedCandidate(Record):
    """What identifies a candidate in a committed report."""

    model_config = ConfigDict(extra="ignore")

    doc_id: str | None = None
    title: str | None = None
    section: str | None = None
    chunk_id: str | None = None


class ReportedScore(Record):
    """What a committed report says of a case; fields of other versions of the report are passed over."""

    model_config = ConfigDict(extra="ignore")

    case_id: str
    query: str
    state: str
    level: Level | None
    metrics: dict[str, float | None]
    top: tuple[ReportedCandidate, ...]


class Word(Record):
    """The word of the evaluator that wrote a revision's committed report."""

    model_config = ConfigDict(extra="ignore")

    metric_semantics: int
    path: str
    yardstick: Yardstick
    cases: tuple[ReportedScore, ...]


@dataclass(frozen=True)
class Side:
    """What a revision, or the working tree, says about one path.

    Attributes:
        name: How the side is called in reports, such as `main (1a2b3c4)`.
        cases: Golden cases by id.
        places: Case id to the file and line of the golden case.
        recordings: Recordings of the path by case id.
        state: State of the path.
        yardstick: What the parameters of this side measure with.
        word: What the committed report of this side says, if there is one that can be read.
        word_fault: Why there is none although there is a report.
    """

    name: str
    cases: Mapping[str, Case]
    places: Mapping[str, tuple[str, int]]
    recordings: Mapping[str, Recording]
    state: PathState
    yardstick: Yardstick
    word: Word | None = None
    word_fault: str = ""
