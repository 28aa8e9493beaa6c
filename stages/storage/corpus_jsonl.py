"""A JSONL file of chunks as a corpus: other programs' exports, and BEIR's `corpus.jsonl`."""

from collections import Counter
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from stages.records.chunk import Chunk
from stages.records.problem import InputError, Problem
from stages.storage.json_file import read_json_lines

# Our field, and the names under which other programs write it.
NAMES: Final = {
    "doc_id": ("doc_id", "docId", "_id"),
    "chunk_id": ("chunk_id", "chunkId"),
    "title": ("title",),
    "source": ("source",),
    "section": ("section",),
    "breadcrumb": ("breadcrumb",),
    "category": ("category",),
    "lang": ("lang",),
    "keywords": ("keywords",),
    "content": ("content", "text"),
}


def read_jsonl(path: Path) -> tuple[list[Chunk], list[Problem]]:
    """All chunks of the file, and everything wrong with its lines; fields we do not know are passed over.

    A line needs an id (`doc_id`, `docId` or `_id`) and a text (`content` or `text`). Where no chunk id is
    given it is `<doc_id>#<section>`; a document that repeats a section gets `~2`, `~3` in file order.
    """
    chunks: list[Chunk] = []
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    for line, value in read_json_lines(path):
        try:
            chunks.append(_chunk(value, str(path), line, seen))
        except InputError as fault:
            problems.extend(fault.problems)
    return chunks, problems


def _chunk(value: Any, file: str, line: int, seen: Counter[str]) -> Chunk:
    if not isinstance(value, dict):
        raise InputError([Problem(file, line, 1, "", "the line is no JSON object", "Write one chunk a line")])
    fields = {name: value[key] for name, keys in NAMES.items() for key in keys if value.get(key) is not None}
    lacking = [name for name in ("doc_id", "content") if name not in fields]
    if lacking:
        raise InputError([_lacking(name, file, line) for name in lacking])
    fields.setdefault("chunk_id", _chunk_id(fields, seen))
    fields.setdefault("source", Path(file).name)
    fields.setdefault("breadcrumb", [fields["section"]] if fields.get("section") else [])
    try:
        return Chunk.model_validate(fields)
    except ValidationError as fault:
        raise InputError([_invalid(error, file, line) for error in fault.errors()]) from fault


def _chunk_id(fields: dict[str, Any], seen: Counter[str]) -> str:
    name = f"{fields['doc_id']}#{fields['section']}" if fields.get("section") else str(fields["doc_id"])
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}~{seen[name]}"


def _lacking(name: str, file: str, line: int) -> Problem:
    return Problem(file, line, 1, "", f"the chunk has no {name}", f"Give it one of {', '.join(NAMES[name])}")


def _invalid(error: Any, file: str, line: int) -> Problem:
    place = ".".join(str(part) for part in error["loc"])
    what = f"{place} is {error['input']!r}: {error['msg'][:1].lower()}{error['msg'][1:]}"
    return Problem(file, line, 1, "", what, "Correct the value; ids and texts are strings")
