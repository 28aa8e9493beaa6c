"""Engines over the corpus, asked live: each answers a case with a recording."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

from stages.commands.bm25_arm import bm25_arm
from stages.commands.milvus_arm import ArmParams, open_milvus_arm
from stages.core.arm_answer import arm_answer
from stages.core.engine_recording import engine_recording
from stages.core.hybrid import hybrid_recording
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.params.bm25 import SearchParams
from stages.records.params.embedder import EmbedderSection
from stages.records.params.fuse import FuseParams
from stages.records.params.milvus import MilvusSection
from stages.records.recording import PathState, Recording

Retriever = Literal["bm25", "milvus", "hybrid"]


class EngineParams(SearchParams, MilvusSection, EmbedderSection, FuseParams):
    """All sections of params.yaml that decide what the engines answer."""


@dataclass(frozen=True)
class Answers:
    """An engine that is ready.

    Attributes:
        provenance: How its answers are obtained; the same as the pipeline writes for the same engine.
        answer: Returns the recording of a case, or raises EngineFailure.
    """

    provenance: dict[str, Any]
    answer: Callable[[Case], Recording]


@contextmanager
def open_answers(
    retriever: Retriever, params: EngineParams, chunks: Sequence[Chunk], recorded: Answers | None = None
) -> Iterator[Answers]:
    """Make a retriever ready over `chunks`; what Milvus `recorded` may stand for Milvus.

    Raises:
        EngineFailure: Milvus or the embedder is not there.
    """
    if retriever == "bm25":
        yield _bm25(params, chunks)
    elif retriever == "milvus":
        with _milvus(params, chunks) as answers:
            yield answers
    else:
        weights = params.hybrid.weights
        if not weights.milvus:
            yield _hybrid(params, {"bm25": _bm25(params, chunks)})
            return
        with nullcontext(recorded) if recorded else _milvus(params, chunks) as milvus:
            arms = {"bm25": _bm25(params, chunks)} if weights.bm25 else {}
            yield _hybrid(params, {**arms, "milvus": milvus})


def _bm25(params: EngineParams, chunks: Sequence[Chunk]) -> Answers:
    arm = bm25_arm(params.bm25, chunks)
    return Answers(arm.provenance, arm.answer)


@contextmanager
def _milvus(params: EngineParams, chunks: Sequence[Chunk]) -> Iterator[Answers]:
    known = {chunk.chunk_id: chunk for chunk in chunks}
    with open_milvus_arm(ArmParams(params.milvus, params.embedder, params.bm25), chunks) as arm:

        def answer(case: Case) -> Recording:
            return engine_recording(case.id, case.query, arm.search(case.query), known, arm.provenance)

        yield Answers(arm.provenance, answer)


def _hybrid(params: EngineParams, arms: dict[str, Answers]) -> Answers:
    provenance = {
        "engine": "hybrid",
        "params": {"hybrid": params.hybrid.model_dump(mode="json"), "rerank": params.rerank.model_dump(mode="json")},
        "arms": {name: arm.provenance for name, arm in arms.items()},
    }
    ready = PathState(path="hybrid", status="ready")

    def answer(case: Case) -> Recording:
        answers = {name: arm_answer(case, ready, arm.answer(case), params.hybrid.depth) for name, arm in arms.items()}
        return hybrid_recording(case.id, case.query, answers, params.hybrid, params.rerank)

    return Answers(provenance, answer)
