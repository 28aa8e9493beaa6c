"""Parameters of capturing."""

from typing import Annotated

from pydantic import Field

from stages.records.params.score import PathParams
from stages.records.params.topk import TopK
from stages.records.record import Record


class CaptureParams(Record):
    """The sections of params.yaml that a capture reads: how many to ask for, and where recordings go."""

    top_k: TopK
    paths: Annotated[dict[str, PathParams], Field(description="paths takes a name, then dir and relevance_floor")]
