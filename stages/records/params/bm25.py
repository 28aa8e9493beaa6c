"""Parameters of BM25 and of the text that it indexes."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from stages.records.record import Record

IndexField = Literal["title", "breadcrumb", "section", "body", "keywords"]


def _different(fields: tuple[IndexField, ...]) -> tuple[IndexField, ...]:
    if len(set(fields)) != len(fields):
        raise ValueError("a field stands here twice, and would count twice")
    return fields


class Bm25Params(Record):
    """Lucene's BM25: how soon repetition saturates, how much length counts, and what is indexed."""

    k1: float = Field(ge=0, strict=True, description="Saturation of repeated terms; 0 ignores repetition")
    b: float = Field(ge=0, le=1, strict=True, description="How much the length of a chunk counts")
    depth: int = Field(ge=1, le=1000, strict=True, description="Candidates recorded for a case")
    identifier_parts: bool = Field(strict=True, description="Index camelCase and snake_case by parts too")
    index_fields: Annotated[tuple[IndexField, ...], Field(min_length=1), AfterValidator(_different)] = Field(
        description="What of a chunk is indexed; `breadcrumb` is the path above the section"
    )


class SearchParams(Record):
    """The section of params.yaml that searching the corpus reads."""

    bm25: Annotated[
        Bm25Params,
        Field(
            description="bm25 takes k1 (from 0), b (0 to 1), depth (1 to 1000), identifier_parts (true or false) and "
            "index_fields (a list of title, breadcrumb, section, body, keywords)"
        ),
    ]
