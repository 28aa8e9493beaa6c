"""The live acceptance from the command line: verdict, reconciliation, index warning, promotion."""

import json
import re
from functools import partial

import pytest

from stages.records.recording import Candidate, PathState, Recording
from stages.storage.capture_lock import capture_lock
from stages.storage.recordings import read_recordings, write_path_state, write_recording, write_recordings_jsonl
from tests.capture_project import PARAMS, SERVICE, Project, hits
from tests.loopback_retrieval import answer, running

CRITERIA = {"criteria": {"hit_at_k": 0.75, "max_error": 0}, "max_regressions": 0, "shown_results": 2}


@pytest.fixture
def server():
    async def well(asked, writer):
        await answer(hits(asked))(asked, writer)

    with running() as one:
        one.routes["/search"] = well
        yield one


@pytest.fixture
def project(tmp_path, server, monkeypatch):
    monkeypatch.setenv("RAG_URL", server.url)
    one = Project(tmp_path)
    one.write_yaml("params.yaml", PARAMS | {"live": CRITERIA})
    one.cases(4)
    one.service("live", answer=SERVICE["answer"] | {"raw": {"took": "took"}})
    one.run = partial(one.run, monkeypatch)
    baseline(one, {number: [f"doc-{number}"] for number in range(4)})
    return one


def recording(number, documents):
    found = tuple(
        Candidate(rank=rank, doc_id=name, content=f"the answer in {name}") for rank, name in enumerate(documents, 1)
    )
    return Recording(case_id=f"case-{number:03d}", query=f"问题 {number}", top_k=2, candidates=found)


def baseline(project, found):
    folder = project.root / "data/fixtures/baseline"
    for number, documents in found.items():
        write_recording(folder, recording(number, documents))
    write_path_state(folder, PathState(path="fixture", status="ready", provenance={"engine": "x"}))


def report(project):
    folder = project.root / "docs/retrieval-eval/live"
    return json.loads((folder / "acceptance.json").read_text("utf-8")), (folder / "acceptance.md").read_text("utf-8")


def answering(server, by_number):
    async def behave(asked, writer):
        number = int(asked.json["id"][-3:])
        documents = by_number.get(number, [f"doc-{number}"])
        items = [
            {"doc": name, "title": f"T {name}", "text": f"the answer in {name}", "score": 0.5} for name in documents
        ]
        await answer({"ok": True, "hits": items, "took": 7, "index": {"version": "1"}})(asked, writer)

    server.routes["/search"] = behave


def test_an_accepted_path_shows_what_a_reviewer_needs(project, server, capsys):
    answering(server, {})
    assert project.run("live") == 0
    found, text = report(project)
    assert (found["verdict"], found["agreement"]) == ("accepted", {"same": 4})
    case = found["cases"][1]
    assert (case["requested"], case["returned"], case["level"], case["recorded_level"]) == (2, 1, "strong", "strong")
    assert case["results"] == [
        {"rank": 1, "name": "doc-1", "title": "T doc-1", "source": None, "score": 0.5, "score_label": None}
    ]
    assert case["raw"] == {"took": 7}
    assert "**Accepted** · live is ready; recordings of `20" in text
    assert "| case-001 | 问题 1 | strong | strong | 2 | 1 | 1. T doc-1 | same |" in text
    assert "| case-001 | took | `7` |" in text
    assert "live: accepted; see docs/retrieval-eval/live/acceptance.md" in capsys.readouterr().err


def test_live_and_recorded_are_reconciled(project, server):
    baseline(project, {0: ["doc-0", "a"], 1: ["doc-1", "a"], 2: ["doc-2"]})
    (project.root / "data/fixtures/baseline/case-003.json").unlink()
    answering(server, {0: ["a", "doc-0"], 1: ["doc-1", "b"]})
    project.run("live")
    found, text = report(project)
    assert [case["reconciled"] for case in found["cases"]] == [
        {"agreement": "reordered", "new": [], "missing": []},
        {"agreement": "changed", "new": ["b"], "missing": ["a"]},
        {"agreement": "same", "new": [], "missing": []},
        {"agreement": "only_live", "new": [], "missing": []},
    ]
    assert found["agreement"] == {"changed": 1, "only_live": 1, "reordered": 1, "same": 1}
    assert "changed; new: `b`; missing: `a`" in text


def test_a_regression_is_not_accepted_and_named(project, server, capsys):
    answering(server, {2: ["other"]})
    assert project.run("live") == 1
    found, text = report(project)
    assert found["verdict"] == "not_accepted"
    assert [(check["rule"], check["verdict"]) for check in found["criteria"]] == [
        ("hit_at_k", "pass"),
        ("max_error", "pass"),
        ("max_regressions", "fail"),
    ]
    words = "1 case is missed which the baseline hits, at most 0 allowed: case-002"
    assert f"max_regressions: {words}" in capsys.readouterr().err
    assert "**NOT accepted**" in text


@pytest.mark.parametrize("enabled", [True, False])
def test_an_unavailable_path_is_inconclusive_and_has_a_report(project, enabled, monkeypatch):
    monkeypatch.setenv("RAG_URL", "http://127.0.0.1:9")
    project.service("live", enabled=enabled)
    assert project.run("live") == 3
    found, text = report(project)
    assert found["verdict"] == "inconclusive"
    assert found["state"]["code"] == ("connection_refused" if enabled else "disabled")
    assert found["agreement"] == {"only_recorded": 4}
    assert found["index"]["warning"] is None
    assert "**Inconclusive** · live is unavailable" in text
    assert text.count(found["state"]["reason"]) == 1


def test_an_index_that_did_not_change_is_warned_of(project, server, capsys):
    answering(server, {})
    project.run("live")
    assert report(project)[0]["index"] == {
        "before": [], "now": [{"version": "1"}], "before_captured_at": None, "warning": None,
    }  # fmt: skip
    project.run("live")
    found, text = report(project)
    assert found["index"]["before"] == found["index"]["now"] == [{"version": "1"}]
    assert found["index"]["warning"].startswith("the index metadata has not changed since the capture of 20")
    assert "> **Look at the index**" in text
    assert "warning: the index metadata has not changed" in capsys.readouterr().err


def test_other_index_metadata_is_no_warning_and_none_at_all_is_said(project, server):
    answering(server, {})
    project.run("live")
    server.routes["/search"] = answer({"ok": True, "hits": [], "index": {"version": "2"}})
    project.run("live")
    assert report(project)[0]["index"]["warning"] is None
    project.service("live", answer={key: value for key, value in SERVICE["answer"].items() if key != "index"})
    project.run("live")
    assert "carry no index metadata" in report(project)[0]["index"]["warning"]


def test_no_capture_asks_nothing(project, server):
    answering(server, {})
    project.run("live")
    asked, first = len(server.log), report(project)
    assert project.run("live", "--no-capture") == 0
    assert (len(server.log), report(project)) == (asked, first)


def test_an_unknown_criterion_is_named(project, capsys):
    project.write_yaml("params.yaml", PARAMS | {"live": CRITERIA | {"criteria": {"recal_at_k": 1}}})
    assert project.run("live", "--no-capture") == 2
    what = r"^params\.yaml:\d+:\d+: live\.criteria\.recal_at_k is no metric of the report\."
    assert re.search(what, capsys.readouterr().err, re.MULTILINE)


class TestPromotion:
    def promoted(self, project):
        return {
            case_id: [one.doc_id for one in found.candidates]
            for case_id, found in read_recordings(project.root / "data/fixtures/baseline").items()
        }

    def test_reviewed_rankings_become_the_baseline(self, project, server, capsys):
        answering(server, {1: ["doc-1", "new"]})
        project.run("live")
        assert project.run("live", "--promote") == 0
        assert self.promoted(project)["case-001"] == ["doc-1", "new"]
        state = json.loads((project.root / "data/fixtures/baseline/recording.json").read_text("utf-8"))
        assert (state["path"], state["status"], state["captured_at"]) == ("fixture", "ready", None)
        assert state["provenance"]["engine"] == "x"
        assert state["provenance"]["promoted_from_live"]["cases"] == 4
        assert {one.raw for one in read_recordings(project.root / "data/fixtures/baseline").values()} == {None}
        assert "4 recordings of 20" in capsys.readouterr().err

    def test_nothing_is_promoted_while_the_baseline_is_captured(self, project, server, capsys):
        answering(server, {1: ["doc-1", "new"]})
        project.run("live")
        with capture_lock(project.root / "data/fixtures/baseline", "fixture"):
            assert project.run("live", "--promote") == 2
        assert "another capture of fixture is running" in capsys.readouterr().err
        assert self.promoted(project)["case-001"] == ["doc-1"]

    def test_only_the_chosen_cases(self, project, server):
        answering(server, {number: [f"doc-{number}", "new"] for number in range(4)})
        project.run("live")
        project.run("live", "--promote", "--case", "case-002")
        assert [case_id for case_id, found in self.promoted(project).items() if "new" in found] == ["case-002"]

    def test_a_case_that_the_report_does_not_show_keeps_its_baseline(self, project, server, capsys):
        answering(server, {number: [f"doc-{number}", "new"] for number in range(4)})
        project.run("live")
        project.run("live", "--no-capture", "--case", "case-001")
        assert project.run("live", "--promote") == 0
        assert [case_id for case_id, found in self.promoted(project).items() if "new" in found] == ["case-001"]
        said = capsys.readouterr().err
        assert "1 recording of 20" in said
        assert "not in the report, and left as they were: case-000, case-002, case-003\n" in said

    def test_a_baseline_that_becomes_shallower_is_told(self, project, server, capsys):
        answering(server, {})
        write_recording(
            project.root / "data/fixtures/baseline", recording(1, ["doc-1"]).model_copy(update={"top_k": 20})
        )
        project.run("live")
        assert project.run("live", "--promote") == 0
        said = capsys.readouterr().err
        assert "warning: 1 of them hold 2 results where the baseline held 20" in said
        assert "`retrieval-eval capture live --top-k 20`, then `live --no-capture`" in said

    def test_a_failed_case_keeps_its_baseline(self, project, server, capsys):
        async def behave(asked, writer):
            number = int(asked.json["id"][-3:])
            await answer({} if number == 1 else hits(asked), 500 if number == 1 else 200)(asked, writer)

        server.routes["/search"] = behave
        project.run("live")
        project.run("live", "--promote")
        assert "left as they were: case-001" in capsys.readouterr().err

    def test_a_baseline_of_lines_stays_one(self, project, server):
        folder = project.root / "data/fixtures/baseline"
        for file in folder.glob("case-*.json"):
            file.unlink()
        write_recordings_jsonl(folder, [recording(number, ["old"]) for number in range(4)])
        answering(server, {})
        project.run("live")
        project.run("live", "--promote", "--case", "case-000")
        assert self.promoted(project) == {"case-000": ["doc-0"], **{f"case-00{n}": ["old"] for n in (1, 2, 3)}}
        assert list(folder.glob("case-*.json")) == []

    def test_what_was_not_reviewed_is_not_promoted(self, project, server, capsys):
        answering(server, {})
        assert project.run("live", "--promote") == 2
        assert "live is unavailable (not_captured), so there is nothing to promote" in capsys.readouterr().err
        project.run("capture", "live")
        assert project.run("live", "--promote") == 2
        assert "the report is of no capture, the recordings are of 20" in capsys.readouterr().err
