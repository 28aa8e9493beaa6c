"""What would recover a miss of a hybrid: the smallest cut of one arm's weight, by fusing the recorded arms again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from stages.core.arm_answer import ArmAnswer
from stages.core.arm_causes import arm_names, origins
from stages.core.hit_level import judge
from stages.core.hybrid import hybrid_recording
from stages.records.case import Case
from stages.records.params.fuse import FuseParams
from stages.records.params.hybrid import HybridWeights
from stages.records.recording import Candidate, Recording
from stages.records.scored import Level
from stages.records.yardstick import Yardstick

STEPS = 20


def fusion_params(provenance: Mapping[str, Any]) -> FuseParams | None:
    """Return what a hybrid was fused with, where its recordings say so and ranks alone suffice to fuse again."""
    try:
        params = FuseParams.model_validate(provenance.get("params"))
    except ValidationError:
        return None
    return params if params.hybrid.method == "rrf" else None


@dataclass(frozen=True)
class Miss:
    """A missed case, its fused recording, what it was fused with, and what it is measured with."""

    case: Case
    recording: Recording
    params: FuseParams
    yardstick: Yardstick


def smallest_weight_change(miss: Miss) -> tuple[str, float, Level] | None:
    """Return arm, weight and level at which the case is no miss, with the weight cut as little as possible; or None.

    Fusion looks at the ratio of the weights, so that cutting one arm is always less than raising the other. The arms
    are rebuilt from the ranks that the recording carries: candidates which were cut off take their places without
    a text, so that no reranking rule speaks for them. Found by halving, in steps of a twentieth of the weight.
    """
    arms = _arms(miss.recording)
    if len(arms) < 2:  # noqa: PLR2004 - nothing is left when the only arm is cut
        return None
    found = [change for arm in arms if (change := _smallest_cut(miss, arms, arm))]
    before = miss.params.hybrid.weights
    return min(found, key=lambda change: (getattr(before, change[0]) - change[1], change[0]), default=None)


def _smallest_cut(miss: Miss, arms: Mapping[str, ArmAnswer], arm: str) -> tuple[str, float, Level] | None:
    low, high = 0, STEPS
    if _level(miss, arms, arm, high) == "miss":
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _level(miss, arms, arm, middle) == "miss" else (low, middle)
    return arm, getattr(_weighted(miss.params, arm, high).hybrid.weights, arm), _level(miss, arms, arm, high)


def _level(miss: Miss, arms: Mapping[str, ArmAnswer], arm: str, step: int) -> Level:
    cut = _weighted(miss.params, arm, step)
    fused = hybrid_recording(miss.case.id, miss.recording.query, arms, cut.hybrid, cut.rerank)
    return judge(miss.case, fused.candidates[: miss.yardstick.top_k], miss.yardstick.min_keyword_coverage).level


def _weighted(params: FuseParams, arm: str, step: int) -> FuseParams:
    """Return the parameters with one weight cut by `step` twentieths."""
    weights = params.hybrid.weights
    cut = weights.model_copy(update={arm: round(getattr(weights, arm) * (STEPS - step) / STEPS, 6)})
    return params.model_copy(update={"hybrid": params.hybrid.model_copy(update={"weights": cut})})


def _arms(recording: Recording) -> dict[str, ArmAnswer]:
    ranks = origins(recording)
    known = {c.chunk_id: c for c in recording.candidates if c.chunk_id is not None}
    arms = {}
    for arm in set(arm_names(recording)) & set(HybridWeights.model_fields):
        places = {found[arm]: known[key] for key, found in ranks.items() if arm in found and key in known}
        ranking = [places.get(rank) or _unknown(arm, rank) for rank in range(1, max(places, default=0) + 1)]
        arms[arm] = ArmAnswer(tuple(c.model_copy(update={"rank": rank}) for rank, c in enumerate(ranking, 1)))
    return dict(sorted(arms.items()))


def _unknown(arm: str, rank: int) -> Candidate:
    return Candidate(rank=rank, chunk_id=f"(cut off: {arm} {rank})")
