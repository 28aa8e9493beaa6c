"""Recorded candidates in the order of a reranker."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.records.recording import Candidate, Recording


def document_of(candidate: Candidate) -> str:
    """What a reranker reads of a candidate: where it stands, and its text."""
    heading = [candidate.title, " / ".join(candidate.breadcrumb) or candidate.section, candidate.content]
    return "\n".join(text for text in heading if text)


def reranked_recording(
    recording: Recording, order: Sequence[tuple[int, float]], provenance: Mapping[str, Any]
) -> Recording:
    """The recording with its candidates in `order`: (index from 0, relevance score) of each, best first."""
    candidates = tuple(
        recording.candidates[index].model_copy(update={"rank": rank, "score": score, "score_label": "relevance_score"})
        for rank, (index, score) in enumerate(order, 1)
    )
    return recording.model_copy(update={"candidates": candidates, "provenance": dict(provenance)})
