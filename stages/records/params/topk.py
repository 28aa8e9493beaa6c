"""The one top-level number: how many candidates count."""

from typing import Annotated

from pydantic import Field

TopK = Annotated[
    int,
    Field(alias="topK", strict=True, ge=1, le=1000, description="topK takes a whole number from 1 to 1000"),
]
Cutoffs = Annotated[
    tuple[Annotated[int, Field(strict=True, ge=1, le=1000)], ...],
    Field(description="cutoffs takes a list of whole numbers from 1 to 1000"),
]
