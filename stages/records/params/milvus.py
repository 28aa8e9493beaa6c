"""Parameters of the vector store; only commands that ask it read them."""

from typing import Annotated, Literal

from pydantic import Field

from stages.records.params.bm25 import IndexField
from stages.records.record import Record

VariableName = Annotated[str, Field(pattern=r"^[A-Z_][A-Z0-9_]*$")]


class MilvusParams(Record):
    """Where Milvus is, what goes into it, and how it is asked."""

    uri: str = Field(min_length=1, description="A path ending in .db (Milvus Lite) or http://host:port")
    token_env: VariableName | None = Field(description="Name of the environment variable with the token, or null")
    collection: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$", description="First part of the collection's name")
    when_stale: Literal["rebuild", "refuse"] = Field(description="When the corpus or the embedder changed")
    search: Literal["dense", "sparse"] = Field(description="By the embedder's vectors or by BM25 weights")
    filter: str = Field(description="A Milvus filter over doc_id, section, category and lang; empty takes all")
    depth: int = Field(ge=1, le=1000, strict=True, description="Candidates recorded for a case")
    timeout_s: float = Field(gt=0, le=600, description="Seconds for each question")
    index_fields: tuple[IndexField, ...] = Field(min_length=1, description="What of a chunk is embedded")


class MilvusSection(Record):
    """The section of params.yaml about Milvus."""

    milvus: Annotated[
        MilvusParams,
        Field(
            description="milvus takes uri, token_env, collection, when_stale (rebuild or refuse), search (dense or "
            "sparse), filter, depth (1 to 1000), timeout_s and index_fields"
        ),
    ]
