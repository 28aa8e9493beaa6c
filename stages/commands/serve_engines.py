"""What a running server answers from: files read once, and Milvus kept open."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stages.commands.engine_answers import EngineParams, open_answers
from stages.commands.kept_milvus import KeptMilvus
from stages.commands.live_milvus import answers_of
from stages.commands.recorded_folder import path_answers
from stages.commands.retriever_evaluation import ARMS, Answer, Workspace, evaluate, read_workspace
from stages.core.hybrid_path import PathAnswers
from stages.core.retrieval_debug import debug_case, retrieval_debug
from stages.records.api import Health, RetrieverHealth
from stages.records.retrieval_debug import DebugAnswer
from stages.storage.params import read_params
from stages.storage.reading import Reading


@dataclass(frozen=True)
class Engines:
    """The retrievers of one server; every method may be called from any thread.

    Attributes:
        recorded: What Milvus answered when it was captured; None where it is asked live.
    """

    workspace: Workspace
    milvus: KeptMilvus
    recorded: PathAnswers | None

    def evaluate(self, retriever: str, top_k: int, *, report: bool) -> Answer:
        """Evaluate one retriever or `all`, as the command does."""
        return evaluate(self.workspace, self._milvus_answers, retriever, top_k, report=report)

    def debug(self, query: str, top_k: int) -> DebugAnswer:
        """Ask every arm about any question, and follow it through fusion and rules; recordings are of no use here."""
        case = debug_case(query)
        arms = {"bm25": self.workspace.bm25.answer_all([case])}
        if self.workspace.params.hybrid.weights.milvus:
            arms["milvus"] = answers_of([case], self.milvus.answer)
        return retrieval_debug(case, arms, self.workspace.params, top_k)

    def health(self) -> Health:
        """Say what can be evaluated; asks no engine, so that it always answers at once."""
        return Health(
            status="ok",
            mode="live" if self.recorded is None else "recorded",
            case_count=len(self.workspace.cases),
            chunk_count=len(self.workspace.chunks),
            retrievers=tuple(self._health(name) for name in ARMS),
        )

    def close(self) -> None:
        """Close what is open; whoever asks Milvus now or later is told that the server stops."""
        self.milvus.close()

    def _milvus_answers(self) -> PathAnswers:
        return self.recorded or answers_of(self.workspace.cases, self.milvus.answer)

    def _health(self, name: str) -> RetrieverHealth:
        if name == "bm25":
            return RetrieverHealth(retriever_name=name, state="ready")
        state = self.recorded.state if self.recorded else self.milvus.state
        return RetrieverHealth(retriever_name=name, state=state.status, error=state.reason, error_code=state.code)


def open_engines(golden: Sequence[Path], corpus: Path, fixtures: Path, *, live: bool) -> Engines:
    """Read every file; Milvus itself is opened when it is first asked.

    Raises:
        InputError: Everything wrong with cases, corpus, parameters or recordings.
    """
    with Reading() as reading:
        workspace = reading.of(read_workspace, golden, corpus)
        params = reading.of(read_params, EngineParams)
        recorded = None if live else reading.of(path_answers, fixtures, "milvus")
    return Engines(workspace, KeptMilvus(lambda: open_answers("milvus", params, workspace.chunks)), recorded)
