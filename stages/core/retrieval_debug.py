"""The hybrid's answer to one question, taken apart into its steps."""

from collections.abc import Mapping, Sequence

from stages.core.arm_answer import ArmAnswer, arm_answer
from stages.core.hybrid import hybrid_recording
from stages.core.hybrid_path import PathAnswers
from stages.records.case import Case
from stages.records.golden import Evidence
from stages.records.params.fuse import FuseParams
from stages.records.params.hybrid import HybridParams
from stages.records.params.rerank import RerankParams
from stages.records.recording import Candidate, Recording
from stages.records.retrieval_debug import (
    ArmStep,
    DebugAnswer,
    FoundCandidate,
    FusedPlace,
    FusionStep,
    RerankedPlace,
    RerankStep,
)


def debug_case(query: str) -> Case:
    """Return a case that stands for any question: nothing is expected of it."""
    return Case(
        id="debug",
        scenario="debug",
        query=query,
        fault_type=None,
        lang=None,
        tags=(),
        answerable=False,
        expectations=(),
        evidence=Evidence(),
    )


def retrieval_debug(case: Case, arms: Mapping[str, PathAnswers], params: FuseParams, top_k: int) -> DebugAnswer:
    """Fuse and rerank as the hybrid does, and show each step."""
    weights = params.hybrid.weights.model_dump()
    depth = params.hybrid.depth
    answers = {name: arm_answer(case, arm.state, arm.recordings.get(case.id), depth) for name, arm in arms.items()}
    counted = {name: answer for name, answer in answers.items() if weights[name]}
    recording = hybrid_recording(case.id, case.query, counted, params.hybrid, params.rerank)
    return DebugAnswer(
        query=case.query,
        top_k=top_k,
        arms=tuple(_arm(name, answer, top_k) for name, answer in answers.items()),
        fusion=_fusion(recording, params.hybrid, top_k),
        rerank=_rerank(recording, params.rerank, top_k),
        final=_found(recording.candidates, top_k),
        warnings=(recording.reason,) if recording.reason else (),
    )


def _arm(name: str, answer: ArmAnswer, top_k: int) -> ArmStep:
    return ArmStep(
        retriever_name=name,
        state="unavailable" if answer.candidates is None else "degraded" if answer.code else "ok",
        error=answer.reason,
        error_code=answer.code,
        candidates=_found(answer.candidates or (), top_k),
    )


def _found(candidates: Sequence[Candidate], top_k: int) -> tuple[FoundCandidate, ...]:
    return tuple(FoundCandidate(**candidate.model_dump()) for candidate in candidates[:top_k])


def _fusion(recording: Recording, params: HybridParams, top_k: int) -> FusionStep:
    origins = sorted(recording.provenance.get("origins", ()), key=lambda origin: origin["fused_rank"])
    return FusionStep(
        method=params.method,
        rrf_k=params.rrf_k,
        weights=params.weights.model_dump(),
        candidates=tuple(
            FusedPlace(
                rank=origin["fused_rank"],
                chunk_id=origin["chunk_id"],
                score=origin["fused"],
                arm_ranks=origin["arms"],
            )
            for origin in origins[:top_k]
        ),
    )


def _rerank(recording: Recording, params: RerankParams, top_k: int) -> RerankStep:
    placed = zip(recording.candidates, recording.provenance.get("origins", ()), strict=True)
    places = tuple(
        RerankedPlace(
            rank=candidate.rank,
            chunk_id=origin["chunk_id"],
            fused_rank=origin["fused_rank"],
            score=candidate.score or 0.0,
            rules=origin["rules"],
        )
        for candidate, origin in placed
    )
    return RerankStep(enabled=params.enabled, window=params.window, candidates=places[:top_k])
