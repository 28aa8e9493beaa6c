"""What a person decided about one queued candidate."""

from pydantic import Field

from stages.records.record import Record


class LabelDecision(Record):
    """One line of the journal: a label that was written, or (without relevance) a candidate put off."""

    case_id: str
    doc_id: str
    section: str | None
    relevance: int | None = Field(ge=0, le=3)

    @property
    def key(self) -> tuple[str, str, str | None]:
        """What was decided about: case, document and section."""
        return self.case_id, self.doc_id, self.section
