"""One chunk of the corpus: what the engines index and what a candidate is made from."""

from pydantic import Field

from stages.records.record import Record


class Chunk(Record):
    """One section of one document (or the whole document, where it has no sections)."""

    chunk_id: str = Field(min_length=1, description="Unique in the corpus: `<doc_id>#<section>`, or the doc_id alone")
    doc_id: str = Field(min_length=1)
    title: str = ""
    source: str = Field(
        "", description="The file it came from, relative to the corpus, so that no machine path is kept"
    )
    section: str | None = Field(None, description="The heading; None for text before the first heading")
    breadcrumb: tuple[str, ...] = Field((), description="From the top down, ending in the section")
    category: str | None = None
    lang: str | None = None
    keywords: tuple[str, ...] = ()
    content: str = ""
