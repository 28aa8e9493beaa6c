"""What the corpus held when the golden set was last checked: enough to tell later where a section went."""

from pydantic import Field

from stages.records.record import Record


class ManifestEntry(Record):
    """One section of one document, without its text."""

    doc_id: str
    title: str = ""
    section: str | None = None
    breadcrumb: tuple[str, ...] = ()
    chunk_id: str
    digest: str = Field(description="Of the normalised text")
    sentences: tuple[str, ...] = Field((), description="One short digest a sentence, in order of the text")
