"""The committed report of a revision, read as its evaluator's word, whatever version wrote it."""

from collections.abc import Mapping

from pydantic import ValidationError

from stages.records.problem import InputError
from stages.records.side import Word
from stages.storage.json_file import parse_json, parse_json_lines
from stages.storage.text_file import decode_text

REPORT = "docs/retrieval-eval"
FILES = (f"{REPORT}/baseline.json", f"{REPORT}/cases.jsonl")


def parse_word(files: Mapping[str, bytes], path: str) -> tuple[Word | None, str]:
    """Return what the report says of `path`, or None with the reason; without a report there is no reason."""
    if any(name not in files for name in FILES):
        return None, ""
    try:
        head, lines = (decode_text(files[name], name) for name in FILES)
        summary = parse_json(head, FILES[0])
        cases = [value for _, value in parse_json_lines(lines, FILES[1])]
        word = Word.model_validate({**summary, "cases": cases})
    except (InputError, ValidationError, TypeError):
        return None, "its committed report cannot be read by this version"
    return (word, "") if word.path == path else (None, "")
