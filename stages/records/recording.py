"""What a retrieval path answered, on disk: `data/fixtures/<path>/<case id>.json` and `recording.json`."""

from typing import Any, Literal

from pydantic import Field

from stages.records.golden import CaseId
from stages.records.record import Record


class Candidate(Record):
    """One thing found. `rank` (from 1) is authoritative; `score` is the retriever's own number."""

    rank: int = Field(ge=1)
    doc_id: str | None = None
    title: str | None = None
    source: str | None = None
    section: str | None = None
    breadcrumb: tuple[str, ...] = ()
    category: str | None = None
    chunk_id: str | None = None
    content: str | None = None
    score: float | None = None
    score_label: str | None = None


class Recording(Record):
    """The answer to one case, with how it was obtained."""

    case_id: CaseId
    query: str = Field(description="The query as sent")
    top_k: int = Field(ge=1, description="How many candidates were asked for")
    state: Literal["ok", "error"] = "ok"
    code: str | None = Field(None, description="Reason code of an error or of a degraded answer")
    reason: str | None = Field(None, description="The reason in a sentence")
    returned: int | None = Field(None, ge=0, description="How many the service returned, before the cut at top_k")
    candidates: tuple[Candidate, ...] = ()
    provenance: dict[str, Any] = Field(default_factory=dict, description="Engine, parameters, corpus digest, embedder")
    index: dict[str, Any] = Field(
        default_factory=dict, description="Index metadata in the answer: version, count, digest"
    )
    raw: Any = Field(None, description="The raw response, where it is kept")


class CaseFailure(Record):
    """Why a case has no answer in a capture that others have answers in."""

    state: Literal["error", "unavailable"]
    code: str
    reason: str


class PathState(Record):
    """`recording.json`: the state of a path when it was last asked.

    `captured_at` is the only clock value allowed and only for services; an engine has none. When a later attempt
    finds the service unavailable, `status`, `code` and `reason` tell of it, and the recordings of `captured_at` stay.
    """

    path: str
    status: Literal["ready", "degraded", "unavailable"]
    code: str | None = Field(None, description="Reason code: disabled, not_captured, connection_refused, timeout, ...")
    reason: str | None = None
    captured_at: str | None = Field(None, description="ISO 8601, UTC; when the recordings here were made")
    provenance: dict[str, Any] = Field(default_factory=dict)
    failed: dict[str, CaseFailure] = Field(default_factory=dict, description="By case; an older recording may be kept")
    earlier: dict[str, str] = Field(
        default_factory=dict, description="By case: when a recording was made that this capture did not renew"
    )
