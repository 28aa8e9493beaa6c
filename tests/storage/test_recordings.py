"""Folders of recordings: what is read, and every fault with its sentence."""

from pathlib import Path

import pytest
from made import recording

from stages.records.problem import InputError
from stages.records.recording import PathState
from stages.storage.json_file import dump_json
from stages.storage.recordings import (
    read_path_state,
    read_recordings,
    write_path_state,
    write_recording,
    write_recordings_jsonl,
)

GOOD = dump_json(recording("a#s", "b#s"))
AGAIN = "Capture the case again"


def said(folder: Path) -> str:
    """Return everything that is wrong with a folder, without the folder's own name."""
    with pytest.raises(InputError) as caught:
        read_recordings(folder)
    return str(caught.value).replace(f"{folder}/", "")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_recording(tmp_path, recording("a#s", case_id="one"))
    write_recordings_jsonl(tmp_path, [recording(case_id="three"), recording("x", case_id="two")])
    write_path_state(tmp_path, PathState(path="fixture", status="ready"))
    assert list(read_recordings(tmp_path)) == ["one", "three", "two"]
    assert read_path_state(tmp_path, "fixture").status == "ready"
    assert not list(tmp_path.glob(".*"))


def test_a_folder_never_captured_is_unavailable_and_holds_nothing(tmp_path: Path) -> None:
    assert read_recordings(tmp_path / "nowhere") == {}
    state = read_path_state(tmp_path / "nowhere", "sidecar")
    assert (state.status, state.code, state.reason) == ("unavailable", "not_captured", "sidecar was never captured")


@pytest.mark.parametrize(
    ("text", "screen"),
    [
        ("", "c.json:1:1: this is no JSON: Expecting value. Repair or rewrite the file."),
        (GOOD[:60], "c.json:5:10: this is no JSON: Expecting ':' delimiter. Repair or rewrite the file."),
        ("[]", f"c.json:1:1: the whole is [], which is no mapping. {AGAIN}."),
        (GOOD.replace('"rank": 2', '"rank": 3'), (
            f"c.json:24:7: case c: the candidates have the ranks 1, 3, not 1, 2, 3 and so on. {AGAIN}."
        )),
        (GOOD.replace('"rank": 2', '"rank": 1'), (
            f"c.json:24:7: case c: the candidates have the ranks 1, 1, not 1, 2, 3 and so on. {AGAIN}."
        )),
        (GOOD.replace('"rank": 2', '"rank": 0'), (
            f"c.json:24:7: candidates[2].rank is 0, which is less than 1. {AGAIN}."
        )),
        (GOOD.replace('"top_k": 20', '"top_k": NaN'), (
            "c.json:4:12: NaN is no JSON number. Repair or rewrite the file."
        )),
        (GOOD.replace('"top_k": 20', '"top_k": 20, "top_k": 5'), (
            "c.json:4:16: the key 'top_k' stands twice in one object. Repair or rewrite the file."
        )),
        (GOOD.replace('"query": "q"', '"query": "\\ud800"'), (
            "c.json:3:13: the text holds a lone surrogate (U+D800). Repair or rewrite the file."
        )),
        (GOOD.replace('"query"', '"qwery"'), (
            f"c.json:1:1: query is missing. {AGAIN}.\nc.json:3:3: qwery is no known field. {AGAIN}."
        )),
        (GOOD.replace('"case_id": "c"', '"case_id": "d"'), (
            "c.json:2:3: case d: the file is named 'c' but records the case 'd'. Name the file after its case."
        )),
        (GOOD.replace('"case_id": "c"', '"case_id": "../c"'), (
            f"c.json:2:3: case_id is '../c', which does not match ^[a-z0-9][a-z0-9_-]{{0,99}}$. {AGAIN}."
        )),
        ('{"case_id": "c", "query": "q", "top_k": 20}', (
            "c.json:1:1: case c: candidates is missing, and without it an answer cannot be told from an empty one. "
            f"{AGAIN}."
        )),
        (GOOD.replace('"top_k": 20', '"top_k": "20"'), (
            f"c.json:4:3: top_k is '20', which is no whole number. {AGAIN}."
        )),
        (GOOD.replace('"top_k": 20', '"top_k": true'), (
            f"c.json:4:3: top_k is true, which is no whole number. {AGAIN}."
        )),
        (GOOD.replace('"top_k": 20', '"top_k": 20.0'), (
            f"c.json:4:3: top_k is 20.0, which is no whole number. {AGAIN}."
        )),
        (GOOD.replace('"rank": 1', '"rank": true'), (
            f"c.json:11:7: candidates[1].rank is true, which is no whole number. {AGAIN}."
        )),
        (GOOD.replace('"score": null', '"score": "0.5"', 1), (
            f"c.json:20:7: candidates[1].score is '0.5', which is no number. {AGAIN}."
        )),
        (GOOD.replace('"returned": null', '"returned": "3"'), (
            f"c.json:8:3: returned is '3', which is no whole number. {AGAIN}."
        )),
        (GOOD.replace('"case_id": "c"', '"case_id": "d"').replace('"rank": 2', '"rank": 3'), (
            "c.json:2:3: case d: the file is named 'c' but records the case 'd'. Name the file after its case.\n"
            f"c.json:24:7: case d: the candidates have the ranks 1, 3, not 1, 2, 3 and so on. {AGAIN}."
        )),
        ("[" * 100_000, "c.json:1: the nesting is too deep. Flatten it."),
    ],
)  # fmt: skip
def test_a_faulty_recording_gets_its_sentence(tmp_path: Path, text: str, screen: str) -> None:
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    assert said(tmp_path) == screen


@pytest.mark.parametrize("text", ["\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), GOOD.rstrip()])
def test_a_recording_is_read_however_it_is_saved(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.json").write_bytes(text.encode())
    assert len(read_recordings(tmp_path)["c"].candidates) == 2


def test_another_encoding_is_said_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_bytes(GOOD.replace('"q"', '"订单"').encode("gbk"))
    assert said(tmp_path) == "c.json:3:13: the byte 0xb6 is not UTF-8. Save the file as UTF-8."


def test_a_case_recorded_twice_is_refused(tmp_path: Path) -> None:
    write_recording(tmp_path, recording())
    write_recordings_jsonl(tmp_path, [recording()])
    assert said(tmp_path) == (
        "recordings.jsonl: case c: the case is recorded twice, also in c.json. Remove one recording."
    )


def test_every_faulty_line_of_a_lines_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text('{"x": 1}\n\n{half\n', encoding="utf-8")
    assert said(tmp_path) == (
        "many.jsonl:1:1: case_id is missing. Capture the case again.\n"
        "many.jsonl:1:1: query is missing. Capture the case again.\n"
        "many.jsonl:1:1: top_k is missing. Capture the case again.\n"
        "many.jsonl:1:2: x is no known field. Capture the case again.\n"
        "many.jsonl:3:2: this is no JSON: Expecting property name enclosed in double quotes. "
        "Repair or rewrite the file."
    )


def test_half_written_and_hidden_files_are_not_recordings(tmp_path: Path) -> None:
    write_recording(tmp_path, recording())
    (tmp_path / ".c.json.abc.part").write_text("{half", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    assert list(read_recordings(tmp_path)) == ["c"]


@pytest.mark.parametrize(
    ("field", "complaint"),
    [
        ('"path": 5', "2:1: path is 5, which is no text"),
        ('"captured_at": 20260131', "2:1: captured_at is 20260131, which is no text"),
        ('"earlier": {"a": 1}', "2:13: earlier.a is 1, which is no text"),
        (
            '"failed": {"a": {"state": "error", "code": true, "reason": "r"}}',
            "2:36: failed.a.code is true, which is no text",
        ),
    ],
)
def test_a_state_takes_no_other_type(tmp_path: Path, field: str, complaint: str) -> None:
    path = "" if field.startswith('"path"') else '"path": "fixture", '
    (tmp_path / "recording.json").write_text(f'{{{path}"status": "ready",\n{field}}}', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_path_state(tmp_path, "fixture")
    assert str(caught.value) == f"{tmp_path}/recording.json:{complaint}. Write the file anew."


CODE_ALONE = "no reason was recorded, only the code timeout"


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        ({"state": "error"}, "error", "no reason was recorded"),
        ({"state": "error", "reason": " "}, "error", "no reason was recorded"),
        ({"state": "error", "code": "timeout"}, "timeout", CODE_ALONE),
        ({"state": "error", "reason": "it broke"}, "error", "it broke"),
        ({"state": "ok", "code": "timeout", "candidates": []}, "timeout", CODE_ALONE),
        ({"state": "ok", "candidates": []}, None, None),
    ],
)
def test_an_error_has_a_code_and_a_reason_whoever_wrote_it(
    tmp_path: Path, given: dict[str, object], code: str | None, reason: str | None
) -> None:
    (tmp_path / "c.json").write_text(dump_json({"case_id": "c", "query": "q", "top_k": 5, **given}), encoding="utf-8")
    found = read_recordings(tmp_path)["c"]
    assert (found.code, found.reason) == (code, reason)


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        ({"status": "unavailable"}, "unavailable", "no reason was recorded"),
        ({"status": "degraded", "code": "", "reason": ""}, "degraded", "no reason was recorded"),
        ({"status": "unavailable", "code": "timeout"}, "timeout", CODE_ALONE),
        ({"status": "ready"}, None, None),
    ],
)
def test_a_state_that_is_not_ready_has_a_code_and_a_reason(
    tmp_path: Path, given: dict[str, object], code: str | None, reason: str | None
) -> None:
    failed = {"a": {"state": "error", "code": "", "reason": ""}}
    (tmp_path / "recording.json").write_text(dump_json({"path": "live", **given, "failed": failed}), encoding="utf-8")
    found = read_path_state(tmp_path, "live")
    assert (found.code, found.reason) == (code, reason)
    assert (found.failed["a"].code, found.failed["a"].reason) == ("error", "no reason was recorded")
