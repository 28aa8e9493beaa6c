"""Plain CSV, in and out: one line for each expectation, several lines of one id are one case."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stages.records.golden import Expectation, GoldenCase, StructuredQuery
from stages.records.imported import Imported, ImportedCase
from stages.records.located_case import Location
from stages.records.problem import InputError, Problem
from stages.storage.csv_table import Table, read_table, write_table
from stages.storage.formats.case_ids import CaseIds
from stages.storage.formats.companions import companions
from stages.storage.formats.golden_case import build_case, or_stand_in, require_scenario
from stages.storage.formats.labels import CorpusLookup, evidence_for
from stages.storage.formats.list_cells import join, join_paths, split, split_paths
from stages.storage.formats.rows import Row
from stages.storage.json_file import parse_json
from stages.storage.reading import Reading

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
JSON_SIGN = '{"'


def read_csv(path: Path, corpus: CorpusLookup, scenario: str = "chat_lookup") -> Imported:
    """Read cases; `doc_id` and `label` both empty mean `expected: none`. Lists are separated by `|`.

    The unit of `rows_in` is a line of data. Comma, semicolon or tab is told from the header.

    Raises:
        InputError: no table, no column `id` or `query`, neither `doc_id` nor `label`, or an unknown column.
    """
    table = _table(path)
    ids = CaseIds()
    cases: list[ImportedCase] = []
    refused: list[Problem] = []
    for group in _by_id(table.rows):
        try:
            cases.append(_case(group, table.faults, ids, corpus, scenario))
        except InputError as error:
            lines = [row.line for row in group]
            refused += [*error.problems, *companions(str(path), group[0].value["id"].strip(), lines, error.problems)]
    used = sum(item.rows for item in cases)
    return Imported(len(table.rows), used, tuple(cases), refused=tuple(sorted(refused)), remarks=tuple(ids.remarks))


def write_csv(path: Path, cases: Iterable[ImportedCase]) -> list[str]:
    """Write cases; what is a list in YAML is one cell here. Return what was lost, one sentence each."""
    rows: list[dict[str, Any]] = []
    lost = []
    for item in cases:
        if isinstance(item.case.query, str) and item.case.query.lstrip().startswith(JSON_SIGN):
            lost.append(f"case {item.case.id}: a text that begins like a structured query; the case is left out")
        else:
            rows += _lines(item)
    write_table(path, COLUMNS, rows)
    return lost


def _table(path: Path) -> Table:
    table = read_table(path)
    given = set(table.columns)
    wrong = [f"no column {name}" for name in ("id", "query") if name not in given]
    wrong += [f"{name!r}: no known column" for name in sorted(given - set(COLUMNS))]
    if not given & {"doc_id", "label"}:
        wrong.append("no column doc_id or label, so every case would expect nothing")
    if wrong:
        remedy = f"The columns are {', '.join(COLUMNS)}, parted by comma, semicolon or tab"
        raise InputError([Problem(str(path), table.line, 0, "", "; ".join(wrong), remedy)])
    rows = tuple(replace(row, value={**dict.fromkeys(COLUMNS, ""), **row.value}) for row in table.rows)
    return replace(table, rows=rows)


def _by_id(rows: Iterable[Row]) -> Iterable[list[Row]]:
    """The rows of each case; one without an id is alone, so that each is told."""
    groups: dict[str | int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.value["id"].strip() or row.line, []).append(row)
    return groups.values()


def _case(
    group: Sequence[Row], faults: Mapping[int, Problem], ids: CaseIds, corpus: CorpusLookup, scenario: str
) -> ImportedCase:
    """The case of some rows.

    Raises:
        InputError: Everything wrong with any of the rows.
    """
    broken = [faults[row.line] for row in group if row.line in faults]
    with Reading() as reading:
        reading.of(_refuse, broken)
        reading.of(_require_agreement, group, faults)
        if len(broken) < len(group):
            rows = [_stand_in(row) if row.line in faults else row for row in group]
            case = reading.of(_convert, rows, ids, corpus, scenario)
    return case


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise InputError(problems)


def _stand_in(row: Row) -> Row:
    """A row in which nothing is wrong, so that what is wrong with the others of its case is found."""
    blameless = {"id": row.value["id"], "query": "q", "doc_id": "d", "keywords": "k"}
    return replace(row, value={**dict.fromkeys(COLUMNS, ""), **blameless})


def _convert(group: Sequence[Row], ids: CaseIds, corpus: CorpusLookup, scenario: str) -> ImportedCase:
    first = group[0]
    with Reading() as reading:
        case_id = reading.of(ids.claim, first.value["id"], first) or ""
        many = len(group) > 1 or _names_something(first)
        labels = [reading.of(_label, row, case_id) or {"doc_id": "d"} for row in group] if many else []
        query = reading.of(_query, first, case_id)
        fields = {name: first.value[name] for name in ("fault_type", "lang", "notes")}
        fields |= {"query": "q" if query is None else query, "tags": split(first.value["tags"])}
        fields["expected"] = (
            _expected(first, case_id, labels, corpus, ids.remarks)
            if labels
            else reading.of(_nothing, first, case_id) or "none"
        )
        named = reading.of(require_scenario, first, case_id, first.value["scenario"].strip() or scenario)
        case = reading.of(_built, group, case_id, fields)
    places: dict[Location, tuple[int, int]] = {(): (first.line, 0)}
    places |= {("expected", "documents", index): (row.line, 0) for index, row in enumerate(group)}
    return ImportedCase(named, case, first.file, places, len(group))


def _built(group: Sequence[Row], case_id: str, fields: dict[str, Any]) -> GoldenCase:
    """The case; one without an id, which is told already, is looked through for its other faults."""
    try:
        return build_case(group[0], case_id or "none", fields, partial(_cell, group))
    except InputError as error:
        raise InputError([problem._replace(case_id=case_id) for problem in error.problems]) from None


def _cell(group: Sequence[Row], location: Location) -> tuple[Row, Location]:
    """Where a field of a case stands: the row, and the column with the item in it."""
    if location[:2] == ("expected", "documents") and len(location) > 2:  # noqa: PLR2004
        return group[int(location[2])], location[3:]
    return group[0], location[2:] if location[:2] == ("expected", "evidence") else location[location[0] == "expected" :]


def _expected(
    row: Row, case_id: str, labels: list[dict[str, Any]], corpus: CorpusLookup, remarks: list[Problem]
) -> dict[str, Any]:
    words, crumbs = split(row.value["keywords"]), split_paths(row.value["breadcrumbs"])
    evidence: dict[str, Any] = {"keywords": words, "breadcrumbs": crumbs}
    if not words and not crumbs:
        evidence = or_stand_in(row, case_id, evidence_for(labels, corpus), labels, remarks)
    return {"documents": labels, "evidence": evidence, "forbidden": split(row.value["forbidden"])}


def _nothing(row: Row, case_id: str) -> str:
    """A case that expects nothing, which cannot say what to see or what to leave out."""
    if given := [name for name in ("keywords", "breadcrumbs", "forbidden") if row.value[name].strip()]:
        what = f"{given[0]} is {row.value[given[0]]!r}, but neither doc_id nor label says what is expected"
        raise row.fail(case_id, what, "Fill one in, or empty the cell for a case that expects nothing")
    return "none"


def _require_agreement(group: Sequence[Row], faults: Mapping[int, Problem]) -> None:
    first = group[0]
    problems = []
    for row in () if first.line in faults else group[1:]:
        if row.line in faults:
            continue
        for name in CASE_COLUMNS:
            if row.value[name] and row.value[name] != first.value[name]:
                what = f"{name} is {row.value[name]!r}, but {first.value[name]!r} on line {first.line}"
                problems.append(row.problem(first.value["id"], what, "Write it on the first line of the case only"))
    if problems:
        raise InputError(problems)


def _names_something(row: Row) -> bool:
    return any(row.value[name].strip() for name in LABEL_COLUMNS)


def _label(row: Row, case_id: str) -> dict[str, Any]:
    cells = {name: row.value[name].strip() for name in LABEL_COLUMNS}
    if not cells["doc_id"] and not cells["label"]:
        what = "the line labels something, but neither doc_id nor label says what"
        if not any(cells.values()):
            what = "the case has several lines, and neither doc_id nor label says what this one is for"
        raise row.fail(case_id, what, "Fill one in")
    label: dict[str, Any] = {name: cells[name] for name in ("doc_id", "label", "section") if cells[name]}
    if cells["chunk_ids"]:
        label["chunk_ids"] = split(cells["chunk_ids"])
    if cells["relevance"]:
        label["relevance"] = int(cells["relevance"]) if cells["relevance"].isdecimal() else cells["relevance"]
    return label


def _query(row: Row, case_id: str) -> Any:
    text = row.value["query"]
    if not text.lstrip().startswith(JSON_SIGN):
        return text
    try:
        return parse_json(text, row.file)
    except InputError as error:
        what = f"query looks like JSON, but {error.problems[0].message}"
        raise row.fail(case_id, what, "Correct it") from None


def _lines(item: ImportedCase) -> list[dict[str, Any]]:
    case = item.case
    expected = None if isinstance(case.expected, str) else case.expected
    head: dict[str, Any] = {
        "id": case.id,
        "scenario": item.scenario,
        "query": _query_cell(case),
        "fault_type": case.fault_type or "",
        "lang": case.lang or "",
        "tags": join(case.tags),
        "notes": case.notes or "",
    }
    if expected is None:
        return [head]
    head["keywords"] = join(expected.evidence.keywords)
    head["breadcrumbs"] = join_paths(expected.evidence.breadcrumbs)
    head["forbidden"] = join(expected.forbidden)
    labels = [_label_cells(label) for label in expected.documents]
    return [{**head, **labels[0]}, *({"id": case.id, **cells} for cells in labels[1:])]


def _label_cells(label: Expectation) -> dict[str, Any]:
    return {
        "doc_id": label.doc_id or "",
        "label": label.label or "",
        "section": label.section or "",
        "chunk_ids": join(label.chunk_ids),
        "relevance": label.relevance,
    }


def _query_cell(case: GoldenCase) -> str:
    if isinstance(case.query, StructuredQuery):
        return json.dumps(case.query.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
    return case.query
