"""What `evaluate --retriever` and the HTTP API say of a retriever; the names in JSON are camelCase."""

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from stages.records.record import Record


class CamelRecord(Record):
    """A record whose fields are camelCase in JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, serialize_by_alias=True
    )


def _is_none(value: object) -> bool:
    return value is None


def _is_empty(value: object) -> bool:
    return value == ()


class ExpectedSection(CamelRecord):
    """A section that should be found; `section` is null where any section of the document will do."""

    doc_id: str = Field(description="The document's id, or its title where the case knows it by that")
    section: str | None


class RetrievedSection(CamelRecord):
    """A section that was found, with the retriever's own score."""

    doc_id: str | None
    section: str | None
    score: float | None


class RetrieverResult(CamelRecord):
    """One case that was scored, by document and section."""

    case_id: str
    retriever_name: str
    top_k: int
    hit: bool
    reciprocal_rank: float
    recall: float
    expected: tuple[ExpectedSection, ...]
    retrieved: tuple[RetrievedSection, ...]


class RetrieverSummary(CamelRecord):
    """The means of one retriever over the `case_count` cases in `results`."""

    retriever_name: str
    case_count: int
    hit_at_k: float
    recall_at_k: float
    mrr: float
    results: tuple[RetrieverResult, ...]
    warnings: tuple[str, ...] = Field((), exclude_if=_is_empty, description="Cases left out, arms that were down")
    markdown_report: str | None = Field(None, exclude_if=_is_none)


class RetrieverFailure(CamelRecord):
    """Why a retriever has no result."""

    retriever_name: str
    error: str
    error_code: str
    state: str
    markdown_report: str | None = Field(None, exclude_if=_is_none)


class RetrieverSummaries(CamelRecord):
    """All retrievers, those that failed among them."""

    summaries: tuple[RetrieverSummary | RetrieverFailure, ...]
    markdown_report: str | None = Field(None, exclude_if=_is_none)
