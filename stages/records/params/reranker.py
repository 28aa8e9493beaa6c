"""Parameters of the reranker behind HTTP; only `capture rerank` reads them."""

from typing import Annotated, Literal

from pydantic import Field

from stages.records.params.milvus import VariableName
from stages.records.record import Record


class RerankerParams(Record):
    """A server with the common `POST /rerank`."""

    url: str = Field(min_length=1, description="The whole address, as http://127.0.0.1:8082/rerank")
    model: str = Field(min_length=1)
    form: Literal["cohere", "tei"] = Field("cohere", description="cohere: documents and top_n; tei: texts")
    api_key_env: VariableName | None = Field(None, description="Name of the environment variable with the key")
    timeout_s: float = Field(30.0, gt=0, le=600)
    retries: int = Field(2, ge=0, le=10, description="Further attempts after a lost connection, 429 or 5xx")


class RerankerSection(Record):
    """The section of params.yaml about the reranker; null where there is none."""

    reranker: Annotated[
        RerankerParams | None,
        Field(description="reranker takes null, or url, model, form (cohere or tei), api_key_env, timeout_s, retries"),
    ] = None
