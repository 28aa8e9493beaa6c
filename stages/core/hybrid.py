"""The hybrid's answer to one case: the arms fused, reranked and cut, with the origin of each candidate."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.core.arm_answer import ArmAnswer
from stages.core.fusion import Scored, fuse
from stages.core.rule_rerank import Reranked, rule_rerank
from stages.records.params.hybrid import HybridParams
from stages.records.params.rerank import RerankParams
from stages.records.problem import InputError, Problem
from stages.records.recording import Candidate, Recording


def hybrid_recording(
    case_id: str, query: str, arms: Mapping[str, ArmAnswer], hybrid: HybridParams, rerank: RerankParams
) -> Recording:
    """The recording of one case; the same function serves recorded and live arms.

    An arm without an answer makes the recording degraded (`code` and `reason` say which and why) and is never
    replaced in silence by the other; without any arm the state is `error`.

    Raises:
        InputError: A candidate has no chunk id, or has no score and the method needs one.
    """
    faults = arm_faults(arms)
    answered = {name: arm.candidates for name, arm in arms.items() if arm.candidates is not None}
    if not answered:
        return Recording(case_id=case_id, query=query, top_k=hybrid.depth, state="error", code="no_arm", reason=faults)
    rankings = {name: _scored(case_id, name, found, hybrid) for name, found in sorted(answered.items())}
    fused = fuse(rankings, hybrid.weights.model_dump(), hybrid.method, hybrid.rrf_k)
    placed = _reranked(query, _fused_candidates(fused, answered, hybrid), rerank)[: hybrid.depth]
    scores, ranks = dict(fused), {name: _ranks(ranking) for name, ranking in rankings.items()}
    origins = [_origin(item, scores, ranks) for item in placed]
    return Recording(
        case_id=case_id,
        query=query,
        top_k=hybrid.depth,
        code="degraded" if faults else None,
        reason=faults,
        candidates=tuple(_placed(rank, item, rerank) for rank, item in enumerate(placed, 1)),
        provenance={"arms": {name: len(found) for name, found in sorted(answered.items())}, "origins": origins},
    )


def arm_faults(arms: Mapping[str, ArmAnswer]) -> str | None:
    """What is wrong with the arms, and what is left of them; None if nothing is wrong."""
    faults = [_named(name, arm.reason or arm.code) for name, arm in sorted(arms.items()) if arm.code]
    digests = {name: arm.corpus_digest for name, arm in sorted(arms.items()) if arm.corpus_digest}
    if len(set(digests.values())) > 1:
        faults.append(f"{' and '.join(digests)} ranked different corpora")
    left = [name for name, arm in sorted(arms.items()) if arm.candidates is not None]
    if 0 < len(left) < len(arms):
        faults.append(f"fused from {', '.join(left)} alone")
    return "; ".join(faults) or None


def _named(name: str, reason: str) -> str:
    return reason if reason.startswith(name) else f"{name}: {reason}"


def _scored(case_id: str, name: str, found: Sequence[Candidate], params: HybridParams) -> list[Scored]:
    for candidate in found:
        lacks = "chunk id" if candidate.chunk_id is None else "score" if candidate.score is None else None
        if lacks == "chunk id" or (lacks and params.method != "rrf"):
            what = f"the candidate at rank {candidate.rank} has no {lacks}"
            remedy = "Record the arm anew, or use hybrid.method rrf" if lacks == "score" else "Record the arm anew"
            raise InputError([Problem(f"the recordings of {name}", 0, 0, case_id, what, remedy)])
    return [(str(candidate.chunk_id), candidate.score or 0.0) for candidate in found]


def _fused_candidates(
    fused: Sequence[Scored], answered: Mapping[str, Sequence[Candidate]], params: HybridParams
) -> list[Candidate]:
    known: dict[str, Candidate] = {}
    for name in sorted(answered):
        for candidate in answered[name]:
            known.setdefault(str(candidate.chunk_id), candidate)
    label = {"score_label": params.method}
    return [
        known[key].model_copy(update={"rank": rank, "score": score, **label})
        for rank, (key, score) in enumerate(fused, 1)
    ]


def _reranked(query: str, candidates: Sequence[Candidate], params: RerankParams) -> list[Reranked]:
    if params.enabled:
        return rule_rerank(query, candidates, params)
    return [Reranked(candidate, candidate.rank, candidate.score or 0.0, {}) for candidate in candidates]


def _placed(rank: int, item: Reranked, params: RerankParams) -> Candidate:
    label = {"score_label": "rule_rerank"} if params.enabled else {}
    return item.candidate.model_copy(update={"rank": rank, "score": item.score, **label})


def _origin(item: Reranked, fused: Mapping[str, float], ranks: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Where a candidate comes from: its rank in each arm, its place and score after fusion, the rules that spoke."""
    key = str(item.candidate.chunk_id)
    return {
        "chunk_id": key,
        "arms": {name: known[key] for name, known in ranks.items() if key in known},
        "fused_rank": item.rank_before,
        "fused": fused[key],
        "rules": item.rules,
    }


def _ranks(ranking: Sequence[Scored]) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for rank, (key, _) in enumerate(ranking, 1):
        ranks.setdefault(key, rank)
    return ranks
