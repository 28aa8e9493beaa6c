"""Parameters of the rule reranker."""

from typing import Annotated

from pydantic import Field

from stages.records.record import Record

Bonus = Annotated[float, Field(ge=0, le=10, strict=True)]


class RerankParams(Record):
    """Each rule lifts a candidate by up to its bonus; 1.0 is the way from the last to the first place of the window."""

    enabled: bool = Field(strict=True)
    window: int = Field(ge=1, le=1000, strict=True, description="Only so many of the first candidates change places")
    heading: Bonus = Field(description="The query holds the words of the title and section")
    identifier: Bonus = Field(description="The candidate holds the identifiers of the query, as written")
    intent: Bonus = Field(description="The query asks for causes, fixes, ... and the section is named so")


class RerankSection(Record):
    """The section of params.yaml about the rule reranker."""

    rerank: Annotated[
        RerankParams,
        Field(
            description="rerank takes enabled (true or false), window (1 to 1000), and the bonuses heading, "
            "identifier and intent (0 to 10)"
        ),
    ]
