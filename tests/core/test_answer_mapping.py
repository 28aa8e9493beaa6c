"""Own table of answers: what the envelope and the fields of a mapping make of each."""

import pytest

from stages.core.answer_reading import read_answer
from stages.core.candidate_mapping import MappingError, to_candidates
from stages.core.health_reading import Readiness, read_health
from stages.core.score_label import score_label
from stages.records.service_answer import Answer
from stages.records.services import Health, Score


def mapping(**changes):
    return Answer.model_validate({"items": "hits", "fields": {"doc_id": "id"}} | changes)


COLUMNS = {"items": None, "columns": {"id": "ids[0]", "text": "texts[0]"}}


@pytest.mark.parametrize(
    ("changes", "status", "answer", "state", "reason"),
    [
        ({}, 200, {"hits": []}, "ok", None),
        ({}, 201, {"hits": [{"id": 1}]}, "ok", None),
        ({}, 200, {"hits": None}, "error", "items `hits` finds nothing in an object with the keys hits"),
        ({}, 200, {}, "error", "items `hits` finds nothing in an empty object"),
        ({}, 200, [], "error", "items `hits` finds nothing in a list"),
        ({}, 200, None, "error", "items `hits` finds nothing in null"),
        ({}, 200, {"hits": {"a": 1}}, "error", "items `hits` finds an object with the keys a in"),
        ({}, 200, {"hits": "x"}, "error", "items `hits` finds a text in an object with the keys hits"),
        ({"empty_when_missing": True}, 200, {}, "ok", None),
        ({"empty_when_missing": True}, 200, {"hits": 5}, "error", "items `hits` finds a number"),
        ({"empty_when_missing": True}, 200, None, "error", "items `hits` finds nothing in null"),
        ({}, 404, {"hits": []}, "error", "the service answered 404 Not Found"),
        ({}, 429, None, "unavailable", "the service answered 429 Too Many Requests"),
        ({}, 599, None, "unavailable", "the service answered 599"),
        ({"message": "error.reason || error"}, 400, {"error": {"reason": "no index"}}, "error", "says: no index"),
        ({"message": "error"}, 400, {"error": {"type": "x"}}, "error", 'says: {"type": "x"}'),
        ({"message": "join(',', error)"}, 400, {"error": None}, "error", "the service answered 400 Bad Request"),
        ({"ok_when": "code == `0`"}, 200, {"code": 0, "hits": []}, "ok", None),
        ({"ok_when": "code == `0`"}, 200, {"code": False, "hits": []}, "error", "ok_when (code == `0`) is not true"),
        ({"ok_when": "code == '0000'"}, 200, {"code": "0000", "hits": []}, "ok", None),
        ({"ok_when": "contains(code, 'x')"}, 200, {"code": None}, "error", "an expression does not fit the answer"),
        ({"ok_when": "code"}, 200, {"code": "yes", "hits": []}, "error", "ok_when (code) is not true"),
        ({"partial_when": "failed > `0`"}, 200, {"failed": 1, "hits": []}, "partial", "(failed > `0`) is true"),
        ({"partial_when": "failed > `0`"}, 200, {"failed": 0, "hits": []}, "ok", None),
        ({"partial_when": "failed > `0`"}, 200, {"hits": []}, "ok", None),
        (COLUMNS, 200, {"ids": [["a"]], "texts": [["x"]]}, "ok", None),
        (COLUMNS, 200, {"ids": [["a"]], "texts": None}, "ok", None),
        (COLUMNS, 200, {"ids": [[]], "texts": [[]]}, "ok", None),
        (COLUMNS, 200, {"ids": [["a", "b"]], "texts": [["x"]]}, "error", "columns differ in length: id 2, text 1"),
        (COLUMNS, 200, {"ids": ["a"], "texts": [["x"]]}, "error", "column id `ids[0]` finds a text, not a list"),
        (COLUMNS, 200, {"error": "x"}, "error", "no column finds anything in an object with the keys error"),
        (COLUMNS | {"empty_when_missing": True}, 200, {}, "ok", None),
    ],
)  # fmt: skip
def test_the_envelope(changes, status, answer, state, reason):
    reading = read_answer(status, answer, mapping(**changes))
    assert reading.state == state
    assert (reading.reason is None) if reason is None else (reason in reading.reason)
    assert (reading.code is None) == (state == "ok")


@pytest.mark.parametrize(
    ("changes", "item", "expected"),
    [
        ({}, {"id": 448300048035776801}, {"doc_id": "448300048035776801"}),
        ({}, {"id": "0012"}, {"doc_id": "0012"}),
        ({"fields": {"doc_id": "id", "title": '"标题"'}}, {"id": "a", "标题": "好"}, {"title": "好"}),
        ({"fields": {"doc_id": "id", "title": '"@t-1.x"'}}, {"id": "a", "@t-1.x": "好"}, {"title": "好"}),
        ({"fields": {"doc_id": "id", "title": "t"}}, {"id": "a", "t": ""}, {"title": None}),
        ({"fields": {"doc_id": "p"}, "doc_id_from_path": True}, {"p": "a/b.c/mq.md"}, {"doc_id": "mq"}),
        ({"fields": {"doc_id": "p"}, "doc_id_from_path": True}, {"p": "C:\\docs\\x.md"}, {"doc_id": "x"}),
        ({"fields": {"doc_id": "id", "breadcrumb": "b"}, "breadcrumb_separator": ">"},
         {"id": "a", "b": " 消息 > MQ >> 指标"}, {"breadcrumb": ("消息", "MQ", "指标")}),
        ({"fields": {"doc_id": "id", "breadcrumb": "b"}}, {"id": "a", "b": ["x", None, "", 3]},
         {"breadcrumb": ("x", "3")}),
        ({"fields": {"doc_id": "id", "breadcrumb": "[h1, h2, h3]"}}, {"id": "a", "h1": "x", "h3": "z"},
         {"breadcrumb": ("x", "z")}),
        ({"fields": {"doc_id": "id", "breadcrumb": "b"}}, {"id": "a", "b": "指标"}, {"breadcrumb": ("指标",)}),
        ({"fields": {"doc_id": "id", "breadcrumb": "b"}}, {"id": "a"}, {"breadcrumb": ()}),
        ({"fields": {"doc_id": "id", "score": "s"}}, {"id": "a", "s": "0.1234567"}, {"score": 0.123457}),
        ({"fields": {"doc_id": "id", "score": "s"}}, {"id": "a", "s": -0.0}, {"score": 0.0}),
        ({"fields": {"doc_id": "id", "score": "s || t"}}, {"id": "a", "s": 0, "t": 1}, {"score": 0.0}),
        ({"fields": {"doc_id": "id", "score": "s[0].value || s"}}, {"id": "a", "s": 0.4}, {"score": 0.4}),
        ({"fields": {"doc_id": "m.id"}, "json_strings": ("m",)}, {"m": '{"id": "x"}'}, {"doc_id": "x"}),
        ({"fields": {"doc_id": "m.id"}, "json_strings": ("m",)}, {"m": {"id": "x"}}, {"doc_id": "x"}),
        ({"fields": {"doc_id": "a.m.id"}, "json_strings": ("a", "a.m")}, {"a": '{"m": "{\\"id\\": 7}"}'},
         {"doc_id": "7"}),
        ({"fields": {"doc_id": "id", "title": "m.t"}, "json_strings": ("m",)}, {"id": "a", "m": ""}, {"title": None}),
    ],
)  # fmt: skip
def test_the_fields(changes, item, expected):
    (candidate,) = to_candidates((item,), mapping(**changes), None)
    assert {name: getattr(candidate, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("changes", "item", "words"),
    [
        ({}, {"x": 1}, "result 1: no field finds anything in an object with the keys x"),
        ({}, None, "result 1: no field finds anything in null"),
        ({}, {"id": {"a": 1}}, "result 1: doc_id finds an object with the keys a, not a text"),
        ({}, {"id": True}, "result 1: doc_id finds a truth value, not a text"),
        ({"fields": {"doc_id": "id", "score": "s"}}, {"id": "a", "s": "high"}, "result 1: score finds 'high'"),
        ({"fields": {"doc_id": "id", "score": "s"}}, {"id": "a", "s": "nan"}, "result 1: score finds 'nan'"),
        ({"fields": {"doc_id": "id", "score": "s"}}, {"id": "a", "s": [1]}, "result 1: score finds a list"),
        ({"fields": {"doc_id": "id", "score": "s"}}, {"id": "a", "s": True}, "result 1: score finds a truth value"),
        ({"fields": {"doc_id": "m.id"}, "json_strings": ("m",)}, {"m": "{x"}, "result 1: m is a text, but no JSON"),
        ({"fields": {"doc_id": "id", "title": "join('/', t)"}}, {"id": "a"}, "result 1: title `join('/', t)`"),
    ],
)  # fmt: skip
def test_what_cannot_be_mapped_is_named(changes, item, words):
    with pytest.raises(MappingError) as caught:
        to_candidates((item,), mapping(**changes), None)
    assert str(caught.value).startswith(words)


def test_a_missing_field_shifts_no_later_rank():
    items = ({"id": "a", "t": "A"}, {"id": "b"}, {"id": "c", "t": "C"})
    found = to_candidates(items, mapping(fields={"doc_id": "id", "title": "t"}), None)
    assert [(one.rank, one.title) for one in found] == [(1, "A"), (2, None), (3, "C")]


HIGHER = [{"label": "high", "limit": 0.8}, {"label": "medium", "limit": 0.5}]
LOWER = [{"label": "near", "limit": 0.2}, {"label": "far", "limit": 1.5}, {"label": "elsewhere"}]


@pytest.mark.parametrize(
    ("better", "bands", "value", "label"),
    [
        ("higher", HIGHER, 0.9, "high"),
        ("higher", HIGHER, 0.8, "high"),
        ("higher", HIGHER, 0.79, "medium"),
        ("higher", HIGHER, 0.4, None),
        ("lower", LOWER, 0.2, "near"),
        ("lower", LOWER, 0.21, "far"),
        ("lower", LOWER, 9, "elsewhere"),
        ("lower", LOWER, None, None),
        ("lower", [], 1, None),
    ],
)
def test_bands(better, bands, value, label):
    assert score_label(value, Score.model_validate({"kind": "x", "better": better, "bands": bands})) == label


def test_the_services_own_label_goes_before_the_bands():
    score = Score.model_validate({"kind": "x", "better": "higher", "bands": [{"label": "band"}]})
    described = mapping(fields={"doc_id": "id", "score": "s", "score_label": "label"})
    found = to_candidates(({"id": "a", "s": 1, "label": "own"}, {"id": "b", "s": 1}), described, score)
    assert [one.score_label for one in found] == ["own", "band"]


@pytest.mark.parametrize(
    ("changes", "status", "answer", "status_code"),
    [
        ({}, 200, None, ("ready", None)),
        ({}, 503, {"status": "DOWN"}, ("unavailable", "http_503")),
        ({"ok_when": "status == 'UP'"}, 200, {"status": "UP"}, ("ready", None)),
        ({"ok_when": "status == 'UP'"}, 503, {"status": "DOWN"}, ("unavailable", "health_down")),
        ({"ok_when": "status == 'UP'"}, 200, {"status": "OUT_OF_SERVICE"}, ("unavailable", "health_down")),
        ({"ok_when": "status == 'UP'"}, 503, None, ("unavailable", "http_503")),
        ({"ok_when": "status == 'UP'"}, 200, ["UP"], ("unavailable", "bad_answer")),
        ({"ok_when": "contains(status, 'U')"}, 200, {"status": 5}, ("unavailable", "health_down")),
        ({"degraded_when": "disk < `1`"}, 200, {"disk": 0}, ("degraded", "health_degraded")),
        ({"degraded_when": "disk < `1`"}, 200, {"disk": 1}, ("ready", None)),
    ],
)
def test_health(changes, status, answer, status_code):
    found = read_health(status, answer, Health.model_validate({"url": "http://x/"} | changes))
    assert isinstance(found, Readiness)
    assert (found.status, found.code) == status_code
