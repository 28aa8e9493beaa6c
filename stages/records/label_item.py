"""One unjudged candidate which waits for a label."""

from pydantic import Field

from stages.records.record import Record


class LabelItem(Record):
    """A candidate of a case within topK that no label says anything about."""

    case_id: str
    query: str
    doc_id: str
    section: str | None
    title: str | None
    content: str
    paths: dict[str, int] = Field(description="Path to the rank there")
    swing: float = Field(description="How much the case's level, recall and MRR move if the candidate is relevant")
    level: str | None = Field(description="Level of the case on the baseline now, and ...")
    level_if_relevant: str | None = Field(description="... if the candidate is relevant")

    @property
    def key(self) -> tuple[str, str, str | None]:
        """What is labelled: case, document and section."""
        return self.case_id, self.doc_id, self.section
