"""What the HTTP API takes, and what it says beside the summaries; names in JSON are camelCase."""

from typing import Annotated

from pydantic import ConfigDict, Field

from stages.records.retriever_summary import CamelRecord

MAX_TOP_K = 100
MAX_QUERY = 10_000

TopK = Annotated[int, Field(strict=True, ge=1, le=MAX_TOP_K, description="How many candidates count")]


def _is_none(value: object) -> bool:
    return value is None


class Request(CamelRecord):
    """A body of a request: names as in the documentation only."""

    model_config = ConfigDict(validate_by_name=False)


class EvaluateRequest(Request):
    """Which retriever is evaluated, how deep, and whether the Markdown report is wanted too."""

    retriever: str = Field(description="bm25, milvus, hybrid or all")
    top_k: TopK = 3
    report: bool = Field(default=False, strict=True)


class DebugRequest(Request):
    """Any question, to be followed through every step of the hybrid."""

    query: str = Field(min_length=1, max_length=MAX_QUERY)
    top_k: TopK = 3


class Detail(CamelRecord):
    """Why a request was refused."""

    detail: str


class RetrieverHealth(CamelRecord):
    """Whether a retriever can be evaluated now, and why not."""

    retriever_name: str
    state: str
    error: str | None = Field(None, exclude_if=_is_none)
    error_code: str | None = Field(None, exclude_if=_is_none)


class Health(CamelRecord):
    """The server is up; `retrievers` says what it can evaluate."""

    status: str
    mode: str = Field(description="recorded or live")
    case_count: int
    chunk_count: int
    retrievers: tuple[RetrieverHealth, ...]
