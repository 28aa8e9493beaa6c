"""One question through every step of the hybrid; names in JSON are camelCase."""

from pydantic import Field

from stages.records.retriever_summary import CamelRecord


def _is_none(value: object) -> bool:
    return value is None


class FoundCandidate(CamelRecord):
    """A candidate with all that is known of it."""

    rank: int
    doc_id: str | None
    title: str | None
    source: str | None
    section: str | None
    breadcrumb: tuple[str, ...]
    category: str | None
    chunk_id: str | None
    content: str | None
    score: float | None
    score_label: str | None


class ArmStep(CamelRecord):
    """What one arm found, or why it found nothing."""

    retriever_name: str
    state: str
    error: str | None = Field(None, exclude_if=_is_none)
    error_code: str | None = Field(None, exclude_if=_is_none)
    candidates: tuple[FoundCandidate, ...]


class FusedPlace(CamelRecord):
    """A candidate after fusion, with its rank in each arm that has it."""

    rank: int
    chunk_id: str
    score: float
    arm_ranks: dict[str, int]


class FusionStep(CamelRecord):
    """The arms brought together."""

    method: str
    rrf_k: float
    weights: dict[str, float]
    candidates: tuple[FusedPlace, ...]


class RerankedPlace(CamelRecord):
    """A candidate after the rules, with its rank before them and the value of each rule that spoke for it."""

    rank: int
    chunk_id: str
    fused_rank: int
    score: float
    rules: dict[str, float]


class RerankStep(CamelRecord):
    """The rules over the first candidates."""

    enabled: bool
    window: int
    candidates: tuple[RerankedPlace, ...]


class DebugAnswer(CamelRecord):
    """Every list is cut at `top_k`; ranks refer to the lists before the cut."""

    query: str
    top_k: int
    arms: tuple[ArmStep, ...]
    fusion: FusionStep
    rerank: RerankStep
    final: tuple[FoundCandidate, ...]
    warnings: tuple[str, ...]
