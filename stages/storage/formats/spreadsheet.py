"""Plain CSV, in and out: one line for each expectation, several lines of one id are one case."""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stages.records.golden import Expectation, GoldenCase, StructuredQuery
from stages.records.imported import Imported, ImportedCase
from stages.records.problem import InputError, Problem
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.golden_case import build_case, or_stand_in, require_scenario
from stages.storage.formats.labels import CorpusLookup, evidence_for
from stages.storage.formats.rows import Row
from stages.storage.text_file import read_text, write_text

CASE_COLUMNS = (
    "id",
    "scenario",
    "query",
    "fault_type",
    "lang",
    "tags",
    "notes",
    "keywords",
    "breadcrumbs",
    "forbidden",
)
LABEL_COLUMNS = ("doc_id", "label", "section", "chunk_ids", "relevance")
COLUMNS = (*CASE_COLUMNS, *LABEL_COLUMNS)
LIST, STEP = "|", " > "
JSON_SIGN = '{"'


def read_csv(path: Path, corpus: CorpusLookup, scenario: str = "chat_lookup") -> Imported:
    """Read cases; `doc_id` and `label` both empty mean `expected: none`. Lists are separated by `|`.

    The unit of `rows_in` is a line of data. Comma, semicolon or tab is told from the header.

    Raises:
        InputError: no header, no `id` or `query` column, or an unknown column.
    """
    rows = _rows(path)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.value["id"].strip(), []).append(row)
    ids = CaseIds()
    cases: list[ImportedCase] = []
    refused: list[Problem] = []
    used = 0
    for group in groups.values():
        try:
            cases.append(_convert(group, ids, corpus, scenario))
            used += len(group)
        except InputError as error:
            refused.extend(error.problems)
    return Imported(len(rows), used, tuple(cases), refused=tuple(refused), remarks=tuple(ids.remarks))


def write_csv(path: Path, cases: Iterable[ImportedCase]) -> list[str]:
    """Write cases; what is a list in YAML is one cell here. Return what was lost, one sentence each."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    lost = []
    for item in cases:
        if isinstance(item.case.query, str) and item.case.query.lstrip().startswith(JSON_SIGN):
            lost.append(f"case {item.case.id}: a text that begins like a structured query; the case is left out")
        else:
            writer.writerows(_lines(item))
    write_text(path, out.getvalue())
    return lost


def _rows(path: Path) -> list[Row]:
    text = read_text(path)
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, restkey="", restval="", strict=True)
    names = [name.strip() for name in reader.fieldnames or ()]
    unknown = sorted(set(names) - set(COLUMNS))
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = sorted({"id", "query"} - set(names))
    if unknown or missing:
        what = f"no column {', '.join(missing)}" if missing else f"{', '.join(map(repr, unknown))}: no known column"
        raise InputError([Problem(str(path), 1, 0, "", what, f"The columns are {', '.join(COLUMNS)}")])
    if twice:
        what = f"the column {', '.join(map(repr, twice))} stands twice"
        raise InputError([Problem(str(path), 1, 0, "", what, "Keep one of the two")])
    reader.fieldnames = names
    try:
        return [Row(str(path), number, reader.line_num, _complete(value)) for number, value in enumerate(reader, 1)]
    except csv.Error as error:
        raise InputError(
            [Problem(str(path), reader.reader.line_num, 0, "", f"no CSV: {error}", "Repair the line")]
        ) from None


def _complete(value: dict[str, Any]) -> dict[str, Any]:
    return {"": value.get("", ""), **dict.fromkeys(COLUMNS, ""), **value}


def _convert(group: Sequence[Row], ids: CaseIds, corpus: CorpusLookup, scenario: str) -> ImportedCase:
    first = group[0]
    _consistent(group)
    case_id = ids.claim(first.value["id"], first)
    labels = [label for row in group if (label := _label(row, case_id))]
    expected: Any = "none"
    if labels:
        known = {name: _split(first.value[name]) for name in ("keywords", "forbidden")}
        crumbs = [list(map(_unescaped, path.split(STEP))) for path in _parts(first.value["breadcrumbs"])]
        evidence: dict[str, Any] | None = {"keywords": known["keywords"], "breadcrumbs": crumbs}
        if not known["keywords"] and not crumbs:
            evidence = or_stand_in(first, case_id, evidence_for(labels, corpus), labels, ids.remarks)
        expected = {"documents": labels, "evidence": evidence, "forbidden": known["forbidden"]}
    fields = {name: first.value[name] for name in ("fault_type", "lang", "notes")}
    fields |= {"query": _query(first, case_id), "tags": _split(first.value["tags"]), "expected": expected}
    named = require_scenario(first, case_id, first.value["scenario"].strip() or scenario)
    return ImportedCase(named, build_case(first, case_id, fields))


def _consistent(group: Sequence[Row]) -> None:
    first = group[0]
    long = [row for row in group if row.value[""]]
    problems = [row.problem("", "the line has more cells than the header", "Quote the cell") for row in long]
    for row in group[1:]:
        for name in CASE_COLUMNS:
            if row.value[name] and row.value[name] != first.value[name]:
                what = f"{name} is {row.value[name]!r}, but {first.value[name]!r} on line {first.line}"
                problems.append(row.problem(first.value["id"], what, "Write it on the first line of the case only"))
    if problems:
        raise InputError(problems)


def _label(row: Row, case_id: str) -> dict[str, Any]:
    cells = {name: row.value[name].strip() for name in LABEL_COLUMNS}
    if not cells["doc_id"] and not cells["label"]:
        if any(cells.values()):
            raise row.fail(case_id, "the line labels something, but neither doc_id nor label says what", "Fill one in")
        return {}
    label: dict[str, Any] = {name: cells[name] for name in ("doc_id", "label", "section") if cells[name]}
    if cells["chunk_ids"]:
        label["chunk_ids"] = _split(cells["chunk_ids"])
    if cells["relevance"]:
        label["relevance"] = int(cells["relevance"]) if cells["relevance"].isdecimal() else cells["relevance"]
    return label


def _query(row: Row, case_id: str) -> Any:
    text = row.value["query"]
    if not text.lstrip().startswith(JSON_SIGN):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise row.fail(case_id, f"the query looks like JSON but is none: {error.msg}", "Correct it") from None


def _split(cell: str) -> list[str]:
    return [_unescaped(part) for part in _parts(cell)]


def _parts(cell: str) -> list[str]:
    r"""Part a cell at its bars; a bar that belongs to an item is written `\|`."""
    return [part.strip() for part in re.findall(r"(?:\\.|[^|\\]|\\$)+", cell, re.DOTALL) if part.strip()]


def _joined(items: Iterable[str]) -> str:
    return LIST.join(item.replace("\\", r"\\").replace(LIST, rf"\{LIST}") for item in items)


def _crumb(steps: Iterable[str]) -> str:
    return STEP.join(_joined([step]).replace(STEP, r" \> ") for step in steps)


def _unescaped(text: str) -> str:
    return re.sub(r"\\([\\|>])", r"\1", text)


def _lines(item: ImportedCase) -> list[dict[str, Any]]:
    case = item.case
    expected = None if isinstance(case.expected, str) else case.expected
    head: dict[str, Any] = {
        "id": case.id,
        "scenario": item.scenario,
        "query": _query_cell(case),
        "fault_type": case.fault_type or "",
        "lang": case.lang or "",
        "tags": _joined(case.tags),
        "notes": case.notes or "",
    }
    if expected is None:
        return [head]
    head["keywords"] = _joined(expected.evidence.keywords)
    head["breadcrumbs"] = LIST.join(map(_crumb, expected.evidence.breadcrumbs))
    head["forbidden"] = _joined(expected.forbidden)
    labels = [_label_cells(label) for label in expected.documents]
    return [{**head, **labels[0]}, *({"id": case.id, **cells} for cells in labels[1:])]


def _label_cells(label: Expectation) -> dict[str, Any]:
    return {
        "doc_id": label.doc_id or "",
        "label": label.label or "",
        "section": label.section or "",
        "chunk_ids": _joined(label.chunk_ids),
        "relevance": label.relevance,
    }


def _query_cell(case: GoldenCase) -> str:
    if isinstance(case.query, StructuredQuery):
        return json.dumps(case.query.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
    return case.query
