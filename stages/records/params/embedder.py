"""Parameters of the embedder; only commands that ask it read them."""

from typing import Annotated

from pydantic import Field

from stages.records.params.milvus import VariableName
from stages.records.record import Record


class HttpEmbedderParams(Record):
    """A server with the OpenAI-compatible `POST /v1/embeddings`."""

    url: str = Field(min_length=1, description="The whole address, as http://127.0.0.1:8080/v1/embeddings")
    model: str = Field(min_length=1)
    dimensions: int | None = Field(None, ge=1, description="Asked for and insisted on; null takes what comes")
    batch: int = Field(64, ge=1, le=2048, description="Texts in one request")
    query_prefix: str = Field("", description="Put before each query; E5 wants `query: `")
    passage_prefix: str = Field("", description="Put before each passage; E5 wants `passage: `")
    input_type: bool = Field(default=False, description="Send the role too, for servers that add prefixes themselves")
    api_key_env: VariableName | None = Field(None, description="Name of the environment variable with the key")
    timeout_s: float = Field(30.0, gt=0, le=600)
    retries: int = Field(2, ge=0, le=10, description="Further attempts after a lost connection, 429 or 5xx")


class EmbedderParams(Record):
    """The bundled model, or a server where `http` names one."""

    threads: int = Field(ge=1, le=64, strict=True, description="Threads of the bundled model")
    http: HttpEmbedderParams | None = Field(description="A server; null takes the bundled model")


class EmbedderSection(Record):
    """The section of params.yaml about the embedder."""

    embedder: Annotated[
        EmbedderParams, Field(description="embedder takes threads (1 to 64) and http (null, or url, model and so on)")
    ]
