"""Schema and loader say the same of every document, but for what no schema can say; that is listed here."""

import copy
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from stages.core.case_building import build_cases
from stages.core.duplicate_queries import duplicate_queries
from stages.core.normalise import normalise
from stages.records.problem import InputError
from stages.records.recording import PathState
from stages.records.secret_name import is_secret_name
from stages.storage.golden import ids_used_twice, parse_golden
from stages.storage.ledger import parse_ledger
from stages.storage.params import parse_params
from stages.storage.record_file import to_record
from stages.storage.recordings import parse_recordings
from stages.storage.services import read_services
from stages.storage.yaml_file import YamlDocument, read_yaml

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "docs"))

from schema_rules import HOLDS_SOMETHING, SECRET_NAME  # noqa: E402 (docs must be importable first)
from schemas import FOLDER, Params  # noqa: E402 (docs must be importable first)

Location = tuple[str | int, ...]


def load_golden(document: Any, _: Path) -> None:
    located = parse_golden(YamlDocument("file", document, {}, {}))
    if problems := [*build_cases(located)[1], *ids_used_twice(located), *duplicate_queries(located)]:
        raise InputError(problems)


def load_services(document: Any, folder: Path) -> None:
    (folder / "services.yaml").write_text(json.dumps(document), encoding="utf-8")
    read_services(folder / "services.yaml")


LOADERS = {
    "accepted": lambda document, _: parse_ledger(json.dumps(document), "file"),
    "golden": load_golden,
    "params": lambda document, _: parse_params(Params, YamlDocument("file", document, {}, {})),
    "path-state": lambda document, _: to_record(document, PathState, "file"),
    "recording": lambda document, _: parse_recordings(json.dumps(document), Path("a.json")),
    "services": load_services,
}
# What a loader refuses and no schema of draft-07 can; docs/authoring.md and docs/services.md say the same.
UNSAYABLE = {
    "accepted": ["the case is accepted twice"],
    "golden": [
        "the id '.*' is used twice",
        "the query '.*' is the same query",
        "the same target is labelled twice",
        "the document '.*' is both expected and forbidden",
        "which holds no letter and no digit",
    ],
    "params": [],
    "path-state": [],
    "recording": ["the file is named", "the candidates have the ranks"],
    "services": [
        "no JMESPath expression",
        "only the last band may have no limit",
        "bands stand from the best to the worst",
        "exactly one of items and columns",
    ],
}
WHOLE_FLOAT = r"is -?[0-9]+\.0, which is no whole number"  # to draft-07, 5.0 is an integer
# And the reverse. A stage reads its own sections; to it, a misspelt one is missing. An empty ledger is an empty file.
STRICTER = {"params": ["'zz' was unexpected"], "accepted": ["None is not of type 'object'"]}


def validator(name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((ROOT / f"{FOLDER}/{name}.schema.json").read_text(encoding="utf-8")))


def refusal(name: str, document: Any, folder: Path) -> str:
    """Return what the loader says of a document; nothing when it takes it."""
    try:
        LOADERS[name](document, folder)
    except InputError as error:
        return str(error)
    return ""


def disagreement(name: str, schema: Draft7Validator, document: Any, folder: Path) -> str:
    """Return why schema and loader differ on a document, or nothing where they agree or may differ."""
    said = refusal(name, document, folder)
    found = [error.message for error in schema.iter_errors(document)]
    if bool(said) == bool(found):
        return ""
    if said:
        allowed = "|".join([*UNSAYABLE[name], WHOLE_FLOAT])
        return "" if all(re.search(allowed, line) for line in said.splitlines()) else f"only the loader: {said}"
    allowed = "|".join(STRICTER.get(name, ["$^"]))
    return "" if all(re.search(allowed, message) for message in found) else f"only the schema: {found}"


LABEL = {"doc_id": "d", "section": "s", "chunk_ids": ["c"], "relevance": 2}
EVIDENCE = {"keywords": ["k"], "breadcrumbs": [["a", "b"]]}
CASE = {
    "id": "a",
    "query": "what",
    "fault_type": "MQ",
    "lang": "zh",
    "expected": {"documents": [LABEL, {"label": "l", "relevance": 0}], "evidence": EVIDENCE, "forbidden": ["f"]},
    "tags": ["t"],
    "notes": "n",
}
ALERT = {"id": "b", "query": {"rule_result": {"a": 1}, "metrics": {"m": 1.5, "up": True}}, "expected": "none"}
RULE = {
    "id": "c",
    "query": {"rule_result": "hit"},
    "expected": {"documents": [{"label": "d"}], "evidence": {"breadcrumbs": [["x"]]}},
}


def expected(documents: Any = ({"doc_id": "d"},), **evidence: Any) -> dict[str, Any]:
    return {"documents": list(documents), "evidence": evidence or {"keywords": ["k"]}}


# A field of a case, or fields, and whether a golden file may have them so.
GOLDEN = [
    ({}, True),
    ({"expected": "none"}, True),
    ({"expected": "None"}, False),
    ({"expected": None}, False),
    ({"expected": []}, False),
    ({"expected": {}}, False),
    ({"expected": expected()}, True),
    ({"expected": expected([])}, False),
    ({"expected": {"documents": [{"doc_id": "d"}]}}, False),
    ({"expected": {"evidence": {"keywords": ["k"]}}}, False),
    ({"expected": {**expected(), "documents": "none"}}, False),
    ({"expected": {**expected(), "expected": "none"}}, False),
    ({"expected": expected([{"doc_id": "d", "label": "l"}])}, False),
    ({"expected": expected([{"doc_id": "d", "label": None}])}, True),
    ({"expected": expected([{"doc_id": None, "label": "l"}])}, True),
    ({"expected": expected([{"doc_id": None, "label": None}])}, False),
    ({"expected": expected([{"section": "s"}])}, False),
    ({"expected": expected([{"doc_id": "d"}, {"section": "s"}])}, False),
    ({"expected": expected([{"doc_id": ""}])}, False),
    ({"expected": expected([{"doc_id": "！？"}])}, False),
    ({"expected": expected([{"doc_id": 12}])}, False),
    ({"expected": expected([{"doc_id": "d", "section": "—"}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": 0}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": 0}, {"doc_id": "e", "relevance": 0}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": 0}, {"doc_id": "e"}])}, True),
    ({"expected": expected([{"doc_id": "d", "relevance": 0.5}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": True}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": "2"}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": None}])}, False),
    ({"expected": expected([{"doc_id": "d", "relevance": -1}])}, False),
    ({"expected": expected([{"doc_id": "d"}, {"doc_id": "d"}])}, False),
    ({"expected": expected([{"doc_id": "d"}, {"doc_id": "d", "section": "s"}])}, True),
    ({"expected": {**expected(), "evidence": {}}}, False),
    ({"expected": {**expected(), "evidence": None}}, False),
    ({"expected": expected(keywords=[])}, False),
    ({"expected": expected(keywords=[], breadcrumbs=[])}, False),
    ({"expected": expected(keywords=[], breadcrumbs=[["a"]])}, True),
    ({"expected": expected(breadcrumbs=[[]])}, False),
    ({"expected": expected(breadcrumbs=[["/", "…"]])}, False),
    ({"expected": expected(breadcrumbs=[["/", "a"]])}, True),
    ({"expected": expected(breadcrumbs=["a"])}, False),
    ({"expected": expected(keywords=["…"])}, False),
    ({"expected": expected(keywords=["k", ""])}, False),
    ({"expected": expected(keywords=["p99 > 500ms", "+"])}, True),
    ({"query": "？！"}, False),
    ({"query": " "}, False),
    ({"query": "+"}, True),
    ({"query": {}}, False),
    ({"query": {"rule_result": None}}, False),
    ({"query": {"rule_result": {}, "metrics": {}}}, False),
    ({"query": {"rule_result": {}, "metrics": {"a": 1}}}, True),
    ({"query": {"rule_result": "...", "metrics": {"a": 1}}}, True),
    ({"query": {"rule_result": "..."}}, False),
    ({"query": {"metrics": {"a": None}}}, False),
    ({"query": {"metrics": {"a": [1]}}}, False),
    ({"id": "A"}, False),
    ({"id": 12}, False),
    ({"id": "0012"}, True),
    ({"fault_type": None, "lang": None, "notes": None}, True),
    ({"tags": None}, False),
    ({"tags": ["t", "t"]}, True),
]
TWICE = {"doc_id": "d", "relevance": 2}
# Only the loader can refuse these: they hang on two places of the file, or on all of Unicode.
GOLDEN_BEYOND = [
    [CASE, {**CASE, "query": "another"}],
    [CASE, {**CASE, "id": "z", "query": "WHAT!"}],
    [{**CASE, "expected": expected([{"doc_id": "d"}, TWICE])}],
    [{**CASE, "expected": {**expected(), "forbidden": ["d"]}}],
    [{**CASE, "expected": expected([{"doc_id": "\u2e2e"}])}],
]


@pytest.mark.parametrize(("fields", "good"), GOLDEN, ids=lambda value: json.dumps(value, ensure_ascii=False))
def test_schema_and_loader_agree_on_a_golden_case(fields: dict[str, Any], good: bool, tmp_path: Path) -> None:
    document = {"scenario": "s", "cases": [{**CASE, **fields}]}
    assert (not refusal("golden", document, tmp_path), validator("golden").is_valid(document)) == (good, good)


@pytest.mark.parametrize("cases", GOLDEN_BEYOND)
def test_what_no_schema_can_say_of_golden_cases_the_loader_says(cases: list[Any], tmp_path: Path) -> None:
    document = {"scenario": "s", "cases": cases}
    assert validator("golden").is_valid(document)
    assert any(re.search(known, refusal("golden", document, tmp_path)) for known in UNSAYABLE["golden"])


def _params() -> dict[str, Any]:
    data: dict[str, Any] = copy.deepcopy(read_yaml(ROOT / "params.yaml").data)
    data["embedder"]["http"] = {"url": "u", "model": "m", "dimensions": 5, "api_key_env": "A", "input_type": True}
    data["reranker"] = {"url": "u", "model": "m", "form": "tei", "api_key_env": None, "timeout_s": 5, "retries": 1}
    data["gate"]["group_floors"] = {"lang": {"recall_at_k": 0.5}}
    return data


DOCUMENTS: dict[str, Any] = {
    "accepted": {"accepted": [{"case": "a", "level": "miss", "reason": "r", "until": "2026-01-31"}]},
    "golden": {"scenario": "s", "cases": [CASE, ALERT, RULE]},
    "params": _params(),
    "path-state": {
        "path": "p",
        "status": "degraded",
        "code": "c",
        "reason": "r",
        "captured_at": "2026-01-31T00:00:00Z",
        "provenance": {},
        "failed": {"a": {"state": "error", "code": "c", "reason": "r"}},
        "earlier": {"b": "2026-01-30T00:00:00Z"},
    },
    "recording": {
        "case_id": "a",
        "query": "q",
        "top_k": 5,
        "state": "ok",
        "code": None,
        "reason": "r",
        "returned": 2,
        "candidates": [
            {"rank": 1, "doc_id": "d", "breadcrumb": ["b"], "content": "t", "score": 0.5, "score_label": "l"},
            {"rank": 2},
        ],
        "provenance": {"a": 1},
        "index": {},
        "raw": [1],
    },
    "services": {
        "services": {
            "current": {
                "enabled": False,
                "preset": "dify",
                "request": {
                    "url": "http://x/",
                    "method": "GET",
                    "headers": {"X": "1", "Authorization": "Bearer ${T}"},
                    "params": {"a": [1, "b"], "t": True, "api_key": "${K}"},
                    "body": {"token": "${X}", "q": 1, "auth": [{"password": "${P}", "as": ["x"]}]},
                },
                "answer": {"fields": {"title": "t"}},
            },
            "sidecar": {
                "request": {"url": "${U}/x", "max_query_chars": 5},
                "embedding": {"url": "http://e/", "headers": {"a": "b"}, "body": {"x": 1}, "vector": "v"},
                "answer": {
                    "ok_when": "a",
                    "items": "i",
                    "json_strings": ["a.b"],
                    "fields": {"doc_id": "d", "section": "s"},
                    "breadcrumb_separator": ">",
                    "index": {"v": "x"},
                },
                "score": {
                    "kind": "cosine",
                    "better": "higher",
                    "bands": [{"label": "high", "limit": 0.5}, {"label": "low"}],
                },
                "health": {"url": "http://x/", "ok_when": "a"},
                "limits": {"attempts": 2, "per_second": 1.5},
                "redact_keys": ["k"],
            },
            "live": {"preset": "columnar", "request": {"url": "https://x/"}, "score": {"bands": []}},
        }
    },
}
VALUES = [None, True, 0, -1, 7, 1.5, 2.0, "", "x", "5", "...", "${A}", "http://u:p@h/", [], ["x", "x"], [[]], {}]
VALUES += [{"x": 1}, {"x": [{"api_key": "x"}]}, {"session": {"id": [1]}}, "a${A", "${a-b}", "http://h/?Api_Key=x&q=1"]
VALUES += ["http://h/?q=1#token=x", "http://h/?token=&max_tokens=5", "http://h/?token=${A}&q=1", {"tokens": ["x"]}]


def places(value: Any, at: Location = ()) -> Iterator[Location]:
    """Yield the location of the document and of everything in it."""
    yield at
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*at, key))


def changed(document: Any, at: Location, change: Any) -> Any:
    """Return the document after `change(parent, key)`."""
    root = {"": copy.deepcopy(document)}
    parent: Any = root
    for key in ("", *at)[:-1]:
        parent = parent[key]
    change(parent, ("", *at)[-1])
    return root[""]


def variants(document: Any) -> Iterator[Any]:
    """Yield the document with each of its parts replaced, removed, doubled or with an unknown field."""
    for at in places(document):
        for value in VALUES:
            yield changed(document, at, lambda parent, key, value=value: parent.__setitem__(key, value))
        if at:
            yield changed(document, at, lambda parent, key: parent.__delitem__(key))
        here = _at(document, at)
        if isinstance(here, dict):
            yield changed(document, at, lambda parent, key: parent[key].update(zz=1))
        if isinstance(here, list) and here:
            yield changed(document, at, lambda parent, key: parent[key].append(parent[key][-1]))


def _at(document: Any, at: Location) -> Any:
    for key in at:
        document = document[key]
    return document


@pytest.mark.parametrize("name", DOCUMENTS)
def test_schema_and_loader_agree_on_every_change_of_a_document(name: str, tmp_path: Path) -> None:
    schema = validator(name)
    assert not refusal(name, DOCUMENTS[name], tmp_path)
    assert schema.is_valid(DOCUMENTS[name])
    found = [disagreement(name, schema, document, tmp_path) for document in variants(DOCUMENTS[name])]
    assert len(found) > 100
    assert sorted({words for words in found if words}) == []


def test_a_recording_without_candidates_is_none_to_schema_and_loader(tmp_path: Path) -> None:
    short = {"case_id": "a", "query": "q", "top_k": 5}
    for document, good in [
        (short, False),
        ({**short, "state": "ok"}, False),
        ({**short, "state": "error"}, True),
        ({**short, "candidates": []}, True),
    ]:
        verdicts = (not refusal("recording", document, tmp_path), validator("recording").is_valid(document))
        assert verdicts == (good, good), document


@pytest.mark.parametrize("weights", [(0, 0, False), (0, 0.5, True), (1, 0, True)])
def test_a_hybrid_in_which_no_arm_counts_is_none_to_schema_and_loader(weights: Any, tmp_path: Path) -> None:
    bm25, milvus, good = weights
    params = _params()
    params["hybrid"]["weights"] = {"bm25": bm25, "milvus": milvus}
    assert (not refusal("params", params, tmp_path), validator("params").is_valid(params)) == (good, good)


def test_the_pattern_of_an_empty_text_knows_only_signs_that_vanish() -> None:
    """Else the schema would refuse what the loader takes."""
    nothing = [chr(code) for code in range(0x10000) if not re.search(HOLDS_SOMETHING, chr(code))]
    assert len(nothing) > 50
    assert not [sign for sign in nothing if normalise(sign)]


@pytest.mark.parametrize(
    "name",
    ["X-Api-Key", "access_token", "max_tokens", "TOKEN", "Authorization2", "set-cookie", "credential", "q", "cookies"],
)
def test_the_pattern_of_secret_names_is_the_loaders(name: str) -> None:
    assert bool(re.search(SECRET_NAME, name)) == is_secret_name(name)


@pytest.mark.parametrize(
    ("part", "good"),
    [
        ({"url": "http://h/?api_key=hunter22"}, False),
        ({"url": "http://h/?q=1&access.token=hunter22"}, False),
        ({"url": "http://h/?api_key=${K}&q=x"}, True),
        ({"url": "http://h/?api_key=&q=x"}, True),
        ({"url": "http://h/?max_tokens=5"}, True),
        ({"url": "http://u:p@h/"}, False),
        ({"url": "http://h/${a-b}"}, False),
        ({"body": {"auth": {"password": "hunter22"}}}, False),
        ({"body": {"auth": [{"api_key": "hunter22"}]}}, False),
        ({"body": {"tokens": ["x"], "token": ["hunter22"]}}, False),
        ({"body": {"password": 12345678}}, False),
        ({"body": {"token": {"kind": "bearer"}, "session": None, "secret": False}}, True),
        ({"body": [{"x": ["a${A"]}]}, False),
        ({"body": "${A} $ {} $x ${B}"}, True),
        ({"headers": {"X": "${A} ${}"}}, False),
        ({"params": {"a": ["${A", "b"]}}, False),
    ],
    ids=str,
)
@pytest.mark.parametrize("section", ["request", "embedding"])
def test_schema_and_loader_agree_on_what_is_sent(section: str, part: Any, good: bool, tmp_path: Path) -> None:
    if section == "embedding" and "params" in part:
        pytest.skip("an embedding has no params")
    document = copy.deepcopy(DOCUMENTS["services"])
    document["services"]["sidecar"][section].update(part)
    assert (not refusal("services", document, tmp_path), validator("services").is_valid(document)) == (good, good)
