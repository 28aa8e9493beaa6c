"""`evaluate --retriever`: bm25, milvus and hybrid over the golden cases, replayed or asked live."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from stages.commands.recorded_folder import path_answers
from stages.commands.retriever_evaluation import Answer, Workspace, evaluate, read_workspace
from stages.core.hybrid_path import PathAnswers
from stages.records.retriever_summary import RetrieverFailure, RetrieverSummaries, RetrieverSummary
from stages.rendering.template import render
from stages.storage.json_file import dump_json
from stages.storage.reading import Reading
from stages.storage.text_file import write_text

MILVUS_RECORDINGS = Path("data/fixtures/milvus")
TOP_K = 3
INCONCLUSIVE = 3


def evaluate_retrievers(args: argparse.Namespace) -> int:
    """Print text, JSON or the Markdown report, or write it to the file of `--output`."""
    recorded = partial(path_answers, args.fixtures or MILVUS_RECORDINGS, "milvus")
    with Reading() as reading:
        workspace = reading.of(read_workspace, args.golden, args.corpus)
        if not args.live and args.retriever != "bm25":
            reading.of(recorded)
    ask_milvus = _live(workspace) if args.live else recorded
    top_k = args.top_k or TOP_K
    answer = evaluate(workspace, ask_milvus, args.retriever, top_k, report=args.report)
    parts = answer.summaries if isinstance(answer, RetrieverSummaries) else (answer,)
    text = _text(answer, parts, top_k, as_json=args.json)
    if args.output:
        write_text(args.output, text)
        print(f"written to {args.output}", file=sys.stderr)
    else:
        print(text, end="")
    return 0 if all(isinstance(part, RetrieverSummary) and not part.warnings for part in parts) else INCONCLUSIVE


def _live(workspace: Workspace) -> Callable[[], PathAnswers]:
    # Imported here, so that replaying needs neither an HTTP client nor an engine.
    from stages.commands.live_milvus import ask_milvus

    return partial(ask_milvus, workspace)


def _text(answer: Answer, parts: Sequence[RetrieverSummary | RetrieverFailure], top_k: int, *, as_json: bool) -> str:
    if as_json:
        return dump_json(answer)
    if answer.markdown_report is not None:
        return answer.markdown_report
    return render("retrievers.txt.j2", summaries=parts, top_k=top_k)
