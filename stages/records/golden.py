"""What a person writes into `data/golden/*.yaml`."""

from typing import Annotated, Literal

from pydantic import (
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from stages.records.record import Record

CaseId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,99}$")]
ScenarioName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,99}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]


def _one_complaint(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    """A union complains once a member; a person made one mistake."""
    try:
        return handler(value)
    except ValidationError:
        raise PydanticCustomError("scalar", "no text, finite number or truth value") from None


Scalar = Annotated[str | int | float | bool, Field(union_mode="left_to_right"), WrapValidator(_one_complaint)]


class StructuredQuery(Record):
    """An alert as the AIOps agent sees it; the text sent is built by `stages.core.query_text`."""

    rule_result: Text | dict[str, Scalar] | None = Field(None, description="What the alert rule said")
    metrics: dict[str, Scalar] = Field(default_factory=dict, description="Metric name to value, in the order sent")


class Expectation(Record):
    """One labelled target: a document, and where needed its section or chunks."""

    doc_id: Text | None = Field(None, description="The document's id; exactly one of doc_id and label")
    label: Text | None = Field(None, description="The document's title, for stores whose ids change on reindexing")
    section: Text | None = Field(None, description="The section; left out, any section of the document will do")
    chunk_ids: tuple[Text, ...] = Field((), description="Chunk ids which hold the answer")
    relevance: int = Field(1, ge=0, le=3, strict=True, description="3 answers fully .. 1 helps; 0 judged and wrong")


class Evidence(Record):
    """What must be seen in the candidates of expected documents."""

    keywords: tuple[Text, ...] = Field((), description="Words or phrases, compared as normalised substrings")
    breadcrumbs: tuple[tuple[Text, ...], ...] = Field((), description="Full paths, from the top down to the section")


class Expected(Record):
    """What a good ranking contains."""

    documents: tuple[Expectation, ...] = Field(min_length=1)
    evidence: Evidence
    forbidden: tuple[Text, ...] = Field((), description="Ids of documents which must not be returned within topK")


def _query_kind(value: object) -> str:
    return "alert" if isinstance(value, (dict, StructuredQuery)) else "text"


def _expected_kind(value: object) -> str:
    return "something" if isinstance(value, (dict, Expected)) else "nothing"


class GoldenCase(Record):
    """One query with what a good ranking contains."""

    id: CaseId = Field(description="Unique over all files; the stem of its recordings")
    query: Annotated[
        Annotated[Text, Tag("text")] | Annotated[StructuredQuery, Tag("alert")], Discriminator(_query_kind)
    ]
    fault_type: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = None
    lang: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")] | None = Field(
        None, description="The language of the query"
    )
    expected: Annotated[
        Annotated[Literal["none"], Tag("nothing")] | Annotated[Expected, Tag("something")],
        Discriminator(_expected_kind),
    ]
    tags: tuple[Text, ...] = ()
    notes: Text | None = Field(None, description="Why this case exists. For people; never evaluated")


class GoldenFile(Record):
    """One file of golden cases of one scenario."""

    scenario: ScenarioName
    cases: tuple[GoldenCase, ...] = Field(min_length=1)
