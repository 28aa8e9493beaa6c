"""The hybrid as a path: every case fused from what the arms recorded, and the state of it all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stages.core.arm_answer import arm_answer
from stages.core.hybrid import hybrid_recording
from stages.core.hybrid_state import hybrid_state
from stages.records.case import Case
from stages.records.params.fuse import FuseParams
from stages.records.recording import PathState, Recording


@dataclass(frozen=True)
class PathAnswers:
    """What one path has to say: its state, and its recordings by case id."""

    state: PathState
    recordings: Mapping[str, Recording]


def hybrid_path(cases: Sequence[Case], arms: Mapping[str, PathAnswers], params: FuseParams) -> PathAnswers:
    """Fuse the arms for every case; an arm of weight 0 is left out, and is not missed."""
    weights = params.hybrid.weights.model_dump()
    counted = {name: arm for name, arm in arms.items() if weights[name]}
    recordings = {case.id: _fused(case, counted, params) for case in cases}
    provenance = {
        "engine": "hybrid",
        "params": {"hybrid": params.hybrid.model_dump(mode="json"), "rerank": params.rerank.model_dump(mode="json")},
        "arms": {name: arm.state.provenance for name, arm in counted.items()},
    }
    return PathAnswers(hybrid_state(list(recordings.values()), provenance), recordings)


def _fused(case: Case, arms: Mapping[str, PathAnswers], params: FuseParams) -> Recording:
    answers = {
        name: arm_answer(case, arm.state, arm.recordings.get(case.id), params.hybrid.depth)
        for name, arm in arms.items()
    }
    return hybrid_recording(case.id, case.query, answers, params.hybrid, params.rerank)
