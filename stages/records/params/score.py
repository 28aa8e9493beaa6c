"""Parameters of the score stages."""

from os.path import normpath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from stages.records.params.topk import Cutoffs, TopK
from stages.records.record import Record


class HitLevelParams(Record):
    """What makes a hit strong, and at which grain the headline metrics count."""

    min_keyword_coverage: float = Field(ge=0, le=1, description="Share of the keywords that must be seen")
    primary_grain: Literal["document", "section", "chunk"] = Field("section", description="Grain of headline metrics")


class PathParams(Record):
    """One path: where its recordings are, and above which score an answer to an unanswerable question is false."""

    dir: str = Field(min_length=1, description="Folder of the recordings")
    relevance_floor: float | None = Field(description="Score from which a candidate counts as an answer; null: always")


PathName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


def _a_folder_each(paths: dict[str, PathParams]) -> dict[str, PathParams]:
    """Refuse a folder that two paths share: each would publish its recordings as the other's."""
    owners: dict[str, str] = {}
    for name, path in paths.items():
        owner = owners.setdefault(normpath(path.dir), name)
        if owner != name:
            shared = {"first": owner, "second": name, "folder": path.dir}
            raise PydanticCustomError("shared_folder", "{first} and {second} share the folder {folder}", shared)
    return paths


Paths = Annotated[
    dict[PathName, PathParams],
    Field(description="paths takes a name, then dir and relevance_floor"),
    AfterValidator(_a_folder_each),
]


class ScoreParams(Record):
    """The sections of params.yaml that scoring reads."""

    top_k: TopK
    cutoffs: Cutoffs
    hit_levels: Annotated[HitLevelParams, Field(description="hit_levels takes min_keyword_coverage and primary_grain")]
    paths: Paths
