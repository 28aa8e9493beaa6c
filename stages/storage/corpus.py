"""The corpus: a folder of Markdown, or a JSONL file of chunks, as sorted chunk records."""

from pathlib import Path

from stages.records.chunk import Chunk
from stages.records.problem import InputError, Problem
from stages.storage.corpus_jsonl import read_jsonl
from stages.storage.corpus_markdown import read_markdown


def read_corpus(path: Path) -> tuple[Chunk, ...]:
    """All chunks of `path` (a folder of `*.md`, or a `.jsonl` file), sorted by chunk id.

    Raises:
        InputError: Everything wrong with the corpus, by place: nothing there, front matter, headings, ids.
    """
    if path.is_dir():
        chunks, problems = read_markdown(path)
    elif path.suffix == ".jsonl" and path.is_file():
        chunks, problems = read_jsonl(path)
    else:
        raise InputError(
            [Problem(str(path), 0, 0, "", "there is no such corpus", "Name a folder of *.md or a *.jsonl file")]
        )
    problems.extend(_twice(chunks, str(path)))
    if not chunks and not problems:
        problems.append(
            Problem(str(path), 0, 0, "", "the corpus is empty", "Add a Markdown file, or a line with a chunk")
        )
    if problems:
        raise InputError(problems)
    return tuple(sorted(chunks, key=lambda chunk: chunk.chunk_id))


def _twice(chunks: list[Chunk], file: str) -> list[Problem]:
    seen: set[str] = set()
    problems: list[Problem] = []
    for chunk in chunks:
        if chunk.chunk_id in seen:
            what = f"the chunk id {chunk.chunk_id!r} is used twice"
            problems.append(Problem(file, 0, 0, "", what, "Give each chunk an id of its own"))
        seen.add(chunk.chunk_id)
    return problems
