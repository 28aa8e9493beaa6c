"""Answers wait beside the recordings, and an interrupted publication is finished."""

import pytest

from stages.records.capture_plan import CapturePlan
from stages.records.problem import InputError
from stages.records.recording import PathState, Recording
from stages.storage.capture_journal import CaptureJournal
from stages.storage.recordings import read_path_state, read_recordings, write_recording, write_recordings_jsonl

PLAN = CapturePlan(started_at="2026-01-02T03:04:05Z", digest="d", case_ids=("a", "b"))
STATE = PathState(path="sidecar", status="ready", captured_at=PLAN.started_at)


def recording(case_id, query="new"):
    return Recording(case_id=case_id, query=query, top_k=5)


@pytest.fixture
def folder(tmp_path):
    write_recording(tmp_path / "sidecar", recording("a", "old"))
    return tmp_path / "sidecar"


def queries(folder):
    return {case_id: one.query for case_id, one in read_recordings(folder).items()}


def test_answers_wait_until_they_are_published(folder):
    journal = CaptureJournal(folder)
    journal.begin(PLAN)
    journal.keep(recording("a"))
    journal.keep(recording("b"))
    assert (journal.plan(), journal.answered(), queries(folder)) == (PLAN, {"a", "b"}, {"a": "old"})
    journal.publish(STATE)
    assert queries(folder) == {"a": "new", "b": "new"}
    assert read_path_state(folder, "sidecar") == STATE
    assert [one.name for one in folder.parent.iterdir()] == ["sidecar"]


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_publication_interrupted_anywhere_is_finished(folder, moved, monkeypatch):
    journal = CaptureJournal(folder)
    journal.begin(PLAN)
    journal.keep(recording("a"))
    journal.keep(recording("b"))
    with monkeypatch.context() as patch:
        patch.setattr(CaptureJournal, "finish", lambda _: None)
        journal.publish(STATE)
    for case_id in ("a", "b")[:moved]:
        (folder.parent / ".sidecar.capture/answers" / f"{case_id}.json").replace(folder / f"{case_id}.json")
    assert CaptureJournal(folder).finish()
    assert queries(folder) == {"a": "new", "b": "new"}
    assert read_path_state(folder, "sidecar") == STATE
    assert not CaptureJournal(folder).finish()


def test_what_an_import_left_as_lines_is_known_and_renewed_case_by_case(folder):
    (folder / "a.json").unlink()
    write_recordings_jsonl(folder, [recording("a", "old"), recording("c", "old")])
    journal = CaptureJournal(folder)
    journal.begin(PLAN)
    journal.keep(recording("a"))
    assert journal.recorded() == {"a", "c"}
    journal.publish(STATE)
    assert queries(folder) == {"a": "new", "c": "old"}
    journal.begin(PLAN)
    journal.keep(recording("c"))
    journal.publish(STATE)
    assert sorted(one.name for one in folder.iterdir()) == ["a.json", "c.json", "recording.json"]


@pytest.mark.parametrize("text", ["", '{"started_at": "2026-', "[]"])
def test_a_damaged_plan_says_what_it_is_and_how_to_go_on(folder, text):
    journal = CaptureJournal(folder)
    journal.begin(PLAN)
    (folder.parent / ".sidecar.capture/plan.json").write_text(text)
    with pytest.raises(InputError) as caught:
        journal.plan()
    for problem in caught.value.problems:
        assert problem.message.startswith("the plan of the interrupted capture is damaged: ")
        assert problem.remedy == "Start anew, without --resume"


def test_beginning_drops_what_was_left(folder):
    journal = CaptureJournal(folder)
    journal.begin(PLAN)
    journal.keep(recording("a"))
    journal.begin(PLAN)
    assert journal.answered() == set()


def test_a_torn_temporary_file_is_no_answer(folder):
    journal = CaptureJournal(folder)
    journal.begin(PLAN)
    journal.keep(recording("a"))
    (folder.parent / ".sidecar.capture/answers/.b.json.x.part").write_text('{"case')
    assert journal.answered() == {"a"}


@pytest.mark.parametrize("line", ["[]", "null", "{}", '{"case_id": 5}', '{"case_id": ["a"]}'])
def test_a_line_that_is_no_recording_stops_no_capture_and_stays_for_its_reader(folder, line):
    write_recordings_jsonl(folder, [recording("a", "old")])
    lines = folder / "recordings.jsonl"
    lines.write_text(lines.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    journal = CaptureJournal(folder)
    assert journal.recorded() == {"a"}
    journal.begin(PLAN)
    journal.keep(recording("a"))
    journal.publish(STATE)
    assert lines.read_text(encoding="utf-8") == line + "\n"
    with pytest.raises(InputError):
        read_recordings(folder)
