"""Retrievers over the golden cases, scored: what `evaluate --retriever` and the HTTP API have in common."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stages.commands.bm25_arm import Bm25Arm, bm25_arm
from stages.commands.golden_cases import golden_cases
from stages.core.hybrid_path import PathAnswers, hybrid_path
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.core.retriever_report import retriever_report
from stages.core.retriever_report_view import retriever_report_view
from stages.core.retriever_summary import retriever_summary
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.params.retrievers import RetrieverParams
from stages.records.retriever_summary import RetrieverFailure, RetrieverSummaries, RetrieverSummary
from stages.records.scored import ScoredPath
from stages.records.yardstick import Yardstick
from stages.rendering.template import render
from stages.storage.corpus import read_corpus
from stages.storage.params import read_params
from stages.storage.reading import Reading

ARMS = ("bm25", "milvus")
RETRIEVERS = (*ARMS, "hybrid")
CHOICES = (*RETRIEVERS, "all")

Answer = RetrieverSummary | RetrieverFailure | RetrieverSummaries


@dataclass(frozen=True)
class Workspace:
    """Everything read from files: the cases, the corpus, the parameters, and BM25 over the corpus."""

    cases: tuple[Case, ...]
    chunks: tuple[Chunk, ...]
    params: RetrieverParams
    bm25: Bm25Arm


def read_workspace(golden: Sequence[Path], corpus: Path) -> Workspace:
    """Read cases, corpus and params.yaml, and index the corpus.

    Raises:
        InputError: Everything wrong with the golden files, the corpus or the parameters.
    """
    with Reading() as reading:
        cases = reading.of(golden_cases, golden)
        chunks = reading.of(read_corpus, corpus)
        params = reading.of(read_params, RetrieverParams)
    return Workspace(tuple(cases), chunks, params, bm25_arm(params.bm25, chunks))


def evaluate(
    workspace: Workspace, ask_milvus: Callable[[], PathAnswers], retriever: str, top_k: int, *, report: bool
) -> Answer:
    """Evaluate one retriever or `all` at `top_k`, with the Markdown report where it is asked for.

    `ask_milvus` is called where its answers are needed. One that fails is a failure beside the others' results.
    """
    names = RETRIEVERS if retriever == "all" else (retriever,)
    scored = _scored(workspace, _answers(workspace, ask_milvus, names), top_k)
    summaries = [retriever_summary(scored[name]) for name in names]
    answer = RetrieverSummaries(summaries=tuple(summaries)) if retriever == "all" else summaries[0]
    if not report:
        return answer
    view = retriever_report_view(retriever_report(scored))
    return answer.model_copy(update={"markdown_report": render("retrievers.md.j2", **view)})


def _answers(
    workspace: Workspace, ask_milvus: Callable[[], PathAnswers], names: Sequence[str]
) -> dict[str, PathAnswers]:
    wanted = ARMS if "hybrid" in names else names
    found: dict[str, PathAnswers] = {}
    if "bm25" in wanted:
        found["bm25"] = workspace.bm25.answer_all(workspace.cases)
    if "milvus" in wanted:
        found["milvus"] = ask_milvus()
    if "hybrid" in names:
        found["hybrid"] = hybrid_path(workspace.cases, found, workspace.params)
    return {name: found[name] for name in names}


def _scored(workspace: Workspace, answers: Mapping[str, PathAnswers], top_k: int) -> dict[str, ScoredPath]:
    cutoffs = tuple(sorted(set(workspace.params.cutoffs)))
    found = {}
    for name, answered in answers.items():
        rankings = replay_path(workspace.cases, answered.recordings, answered.state, top_k, cutoffs)
        found[name] = score_path(workspace.cases, rankings, _yardstick(workspace.params, name, top_k, cutoffs))
    return found


def _yardstick(params: RetrieverParams, name: str, top_k: int, cutoffs: tuple[int, ...]) -> Yardstick:
    path = params.paths.get(name)
    return Yardstick(
        top_k=top_k,
        cutoffs=cutoffs,
        primary_grain=params.hit_levels.primary_grain,
        min_keyword_coverage=params.hit_levels.min_keyword_coverage,
        relevance_floor=path.relevance_floor if path else None,
    )
