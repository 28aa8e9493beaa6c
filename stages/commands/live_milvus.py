"""Milvus and the embedder of params.yaml, asked about every case while the command runs."""

from collections.abc import Callable, Sequence

from tqdm import tqdm

from stages.commands.engine_answers import EngineParams, open_answers
from stages.commands.retriever_evaluation import Workspace
from stages.core.hybrid_path import PathAnswers
from stages.records.case import Case
from stages.records.recording import PathState, Recording
from stages.retrievers.failure import EngineFailure
from stages.storage.params import read_params


def ask_milvus(workspace: Workspace) -> PathAnswers:
    """Open Milvus, ask every case, and close it; a failure is a state.

    Raises:
        InputError: params.yaml says something wrong of Milvus or the embedder.
    """
    params = read_params(EngineParams)
    try:
        with open_answers("milvus", params, workspace.chunks) as milvus:
            cases = tqdm(workspace.cases, desc="milvus", unit="case", disable=None)
            return answers_of(list(cases), milvus.answer)
    except EngineFailure as failure:
        return failed(failure)


def answers_of(cases: Sequence[Case], answer: Callable[[Case], Recording]) -> PathAnswers:
    """Return all answers, or the state in which the first that failed left Milvus."""
    try:
        recordings = {case.id: answer(case) for case in cases}
    except EngineFailure as failure:
        return failed(failure)
    provenance = next((recording.provenance for recording in recordings.values()), {})
    return PathAnswers(PathState(path="milvus", status="ready", provenance=provenance), recordings)


def failed(failure: EngineFailure) -> PathAnswers:
    """Return the state of an engine that could not answer."""
    state = PathState(path="milvus", status="unavailable", code=failure.code, reason=failure.reason)
    return PathAnswers(state, {})
