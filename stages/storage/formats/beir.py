"""A BEIR data set (`corpus.jsonl`, `queries.jsonl`, `qrels/*.tsv`), in and out."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.records.chunk import Chunk
from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError, Problem
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.collect import collect_cases
from stages.storage.formats.judged_cases import Grain, grades_of, judged_case, note_losses, section_key
from stages.storage.formats.labels import CorpusLookup
from stages.storage.formats.leftovers import refuse_leftovers
from stages.storage.formats.rows import Row
from stages.storage.json_file import read_json_lines, write_json_lines
from stages.storage.text_file import read_text, write_text
from stages.storage.wording import as_written, cut

HEADER = ("query-id", "corpus-id", "score")
TEXTS, BOM, TAB = ("title", "text"), "\ufeff", "\t"
INTEGER = re.compile(r"[+-]?[0-9]{1,4}")


def read_beir(folder: Path, split: str | None = None, scenario: str = "chat_lookup") -> Imported:
    """Read cases and the corpus; the unit of `rows_in` is a judged query.

    Args:
        folder: The data set.
        split: Which file of `qrels` (`test`, `dev`, ..); may be left out if there is one only, or one named `test`.
        scenario: The scenario of the cases.

    `qrels` may have three columns (query, document, grade, below a header) or four as TREC has. They are parted by
    tabs, so ids may hold blanks.

    Raises:
        InputError: Every faulty row of a file at once.
    """
    qrels = _judgment_file(folder, split)
    judgments, lines = _read_judgments(qrels)
    queries = {name: str(value.get("text") or "") for name, value in _objects(folder / "queries.jsonl").items()}
    documents = _objects(folder / "corpus.jsonl") if (folder / "corpus.jsonl").exists() else {}
    chunks = [_chunk(name, document) for name, document in sorted(documents.items())]
    ids, corpus = CaseIds(), CorpusLookup(chunks)
    rows = [Row(str(qrels), number, lines[query], query) for number, query in enumerate(sorted(judgments), 1)]

    def convert(row: Row) -> ImportedCase:
        if row.value not in queries:
            raise row.fail("", f"query {row.value!r} is not in queries.jsonl", "Add it there")
        return ImportedCase(scenario, judged_case(row, queries[row.value], judgments[row.value], corpus, ids))

    found = collect_cases(rows, convert, ids.remarks)
    if unjudged := len(queries.keys() - judgments.keys()):
        what = f"queries without a judgment in {qrels.name}: {unjudged}"
        ids.remarks.append(Problem(str(folder / "queries.jsonl"), 0, 0, "", what, "They are left out"))
    return Imported(found.rows_in, found.rows_used, found.cases, (), tuple(chunks), found.refused, tuple(ids.remarks))


def write_beir(folder: Path, cases: Sequence[ImportedCase], chunks: Sequence[Chunk], grain: Grain) -> list[str]:
    """Write a data set whose documents are ours, our sections or our chunks (`grain`); return what was lost.

    Queries are texts here; a structured one is to be put into words before.

    Raises:
        InputError: Judgments of another split stand there, of queries that are no longer there.
    """
    refuse_leftovers(path for path in sorted((folder / "qrels").glob("*.tsv")) if path.name != "test.tsv")
    lost: list[str] = []
    note_losses(cases, lost)
    asked = [item.case for item in cases]
    rows = ["\t".join(HEADER) + "\n"]
    for case in sorted(asked, key=lambda case: case.id):
        rows += [f"{case.id}\t{key}\t{grade}\n" for key, grade in sorted(grades_of(case, grain, lost).items())]
    write_text(folder / "qrels/test.tsv", "".join(rows))
    write_json_lines(folder / "queries.jsonl", [{"_id": case.id, "text": str(case.query)} for case in asked])
    write_json_lines(folder / "corpus.jsonl", _documents(chunks, grain))
    return lost


def _documents(chunks: Sequence[Chunk], grain: Grain) -> list[dict[str, str]]:
    texts: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        texts.setdefault(_key(chunk, grain), []).append(chunk)
    return [
        {"_id": name, "title": parts[0].title, "text": "\n\n".join(part.content for part in parts)}
        for name, parts in sorted(texts.items())
    ]


def _key(chunk: Chunk, grain: Grain) -> str:
    if grain == "section":
        return section_key(chunk.doc_id, chunk.section)
    return chunk.chunk_id if grain == "chunk" else chunk.doc_id


def _judgment_file(folder: Path, split: str | None) -> Path:
    if not folder.is_dir():
        what = "this is a file, and no folder" if folder.exists() else "there is no such folder"
        raise InputError([Problem(str(folder), 0, 0, "", what, "Name the folder of the data set")])
    files = sorted((folder / "qrels").glob("*.tsv"))
    names = [path.stem for path in files]
    if not names:
        what = "the folder holds no qrels/*.tsv"
        raise InputError([Problem(str(folder), 0, 0, "", what, "Name the folder of the data set")])
    wanted = split or (names[0] if len(names) == 1 else "test")
    if wanted not in names:
        what = f"there is no qrels/{wanted}.tsv; there are: {', '.join(names)}"
        raise InputError([Problem(str(folder), 0, 0, "", what, "Name one with --split")])
    return folder / "qrels" / f"{wanted}.tsv"


def _read_judgments(path: Path) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
    """Query to document to grade, and the line on which each query stands first."""
    judgments: dict[str, dict[str, int]] = {}
    lines: dict[str, int] = {}
    problems = []
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), 1):
        fields = line.split("\t")
        if number == 1 and (fields[0] == HEADER[0] or fields[-1] == HEADER[-1]):
            continue
        what = _fault(fields, judgments)
        if what:
            problems.append(Problem(str(path), number, 0, "", what, "Write query, document and grade, parted by tabs"))
        else:
            lines.setdefault(fields[0], number)
            judgments.setdefault(fields[0], {})[fields[-2]] = int(fields[-1])
    if problems or not judgments:
        raise InputError(problems or [Problem(str(path), 0, 0, "", "there is no judgment", "Check the name")])
    return judgments, lines


def _fault(fields: list[str], judgments: Mapping[str, Mapping[str, int]]) -> str:
    if any(BOM in field for field in fields):
        return "a byte order mark stands here, as where files were joined"
    if len(fields) not in (len(HEADER), len(HEADER) + 1):
        counted = f"{len(fields)} {'column' if len(fields) == 1 else 'columns'}"
        return f"the row has {counted}: {cut(TAB.join(fields))!r}"
    if not INTEGER.fullmatch(fields[-1]):
        return f"the grade {fields[-1]!r} is not an integer"
    if fields[-2] in judgments.get(fields[0], {}):
        return f"document {fields[-2]!r} was judged for query {fields[0]!r} already"
    return ""


def _objects(path: Path) -> dict[str, dict[str, Any]]:
    """Rows by `_id`, which stays the text it is; so do the title and the text."""
    found: dict[str, dict[str, Any]] = {}
    problems = []
    for line, value in read_json_lines(path):
        name = value.get("_id") if isinstance(value, dict) else None
        if not isinstance(name, str) or not name:
            problems.append(
                Problem(str(path), line, 0, "", f"_id is {as_written(name)}, which is no text", "Give a text")
            )
        elif name in found:
            problems.append(Problem(str(path), line, 0, "", f"_id {name!r} is used twice", "Give each its own"))
        else:
            found[name] = value
            problems += [
                Problem(
                    str(path), line, 0, "", f"{field} is {as_written(value[field])}, which is no text", "Give a text"
                )
                for field in TEXTS
                if not isinstance(value.get(field) or "", str)
            ]
    if problems:
        raise InputError(problems)
    return found


def _chunk(name: str, document: Mapping[str, Any]) -> Chunk:
    text = str(document.get("text") or "")
    return Chunk(chunk_id=name, doc_id=name, title=str(document.get("title") or ""), content=text)
