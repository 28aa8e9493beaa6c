"""Capturing a service from the command line: what is asked, what is written, what stays when it fails."""

import json
import re
from functools import partial

import pytest

from tests.capture_project import SERVICE, Project, hits
from tests.loopback_retrieval import answer, running

UTC_SECOND = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def by_case(**special):
    """Answer each case well but those in `special`, by number."""

    async def behave(asked, writer):
        number = int(asked.json["id"][-3:])
        await special.get(f"n{number}", answer(hits(asked)))(asked, writer)

    return behave


@pytest.fixture
def server():
    with running() as one:
        one.routes["/search"] = by_case()
        yield one


@pytest.fixture
def project(tmp_path, server, monkeypatch):
    monkeypatch.setenv("RAG_URL", server.url)
    one = Project(tmp_path)
    one.cases(5)
    one.service()
    one.run = partial(one.run, monkeypatch)
    return one


class TestGoodCapture:
    def test_each_case_is_asked_once_and_recorded_with_how(self, project, server, capsys):
        assert project.run("capture", "sidecar") == 0
        assert sorted(one.json["id"] for one in server.log) == [f"case-00{n}" for n in range(5)]
        assert server.log[0].json["k"] == 2
        recording = project.recorded()["case-003"]
        assert (recording["query"], recording["top_k"], recording["returned"]) == ("问题 3", 2, 1)
        assert recording["candidates"][0]["doc_id"] == "doc-3"
        assert recording["index"] == {"version": "1"}
        assert capsys.readouterr().err.endswith("sidecar: 5 of 5 cases are recorded in data/fixtures/sidecar; ready\n")

    def test_the_state_says_when_and_how_the_only_place_with_a_clock(self, project):
        project.run("capture", "sidecar")
        state = project.state()
        assert (state["status"], state["code"]) == ("ready", None)
        assert UTC_SECOND.fullmatch(state["captured_at"])
        assert state["provenance"] | {"request": ""} == {
            "service": "sidecar",
            "request": "",
            "top_k": 2,
            "asked": 5,
            "answered": 5,
            "score": None,
            "index": [{"version": "1"}],
            "previous": {"captured_at": None, "index": []},
        }
        assert not any(UTC_SECOND.search(json.dumps(one)) for one in project.recorded().values())

    def test_nothing_but_recordings_is_left_behind(self, project):
        project.run("capture", "sidecar")
        assert [one.name for one in (project.root / "data/fixtures").iterdir()] == ["sidecar"]

    def test_more_than_top_k_is_counted_and_cut(self, project, server):
        items = [{"doc": f"d{n}", "id": f"c{n}", "score": 0.1 * n} for n in range(7)]
        server.routes["/search"] = answer({"ok": True, "hits": items})
        project.run("capture", "sidecar", "--case", "case-001")
        recording = project.recorded()["case-001"]
        assert (recording["returned"], [one["doc_id"] for one in recording["candidates"]]) == (7, ["d0", "d1"])

    def test_bands_label_the_scores(self, project):
        project.service(score={"kind": "cosine", "better": "higher", "bands": [{"label": "high", "limit": 0.5}]})
        project.run("capture", "sidecar")
        assert project.recorded()["case-000"]["candidates"][0]["score_label"] == "high"
        assert project.state()["provenance"]["score"] == {"kind": "cosine", "better": "higher"}

    def test_json_prints_the_state(self, project, capsys):
        project.run("capture", "sidecar", "--json")
        assert json.loads(capsys.readouterr().out) == project.state()

    @pytest.mark.parametrize(
        ("options", "numbers"),
        [
            (["--case", "case-001", "--case", "case-004"], [1, 4]),
            (["--tag", "odd"], [1, 3]),
            (["--tag", "odd", "--case", "case-001"], [1]),
            (["--scenario", "chat_lookup"], [0, 1, 2, 3, 4]),
        ],
    )
    def test_cases_are_chosen(self, project, server, options, numbers):
        project.run("capture", "sidecar", *options)
        assert sorted(int(one.json["id"][-3:]) for one in server.log) == numbers

    def test_choosing_nothing_is_refused(self, project, server, capsys):
        assert project.run("capture", "sidecar", "--case", "case-9", "--tag", "even") == 2
        assert capsys.readouterr().err == (
            "data/golden: no case has the id 'case-9'. Check --case, --tag and --scenario.\n1 problem\n"
        )
        assert server.log == []

    def test_recordings_of_earlier_captures_keep_their_date(self, project):
        project.run("capture", "sidecar")
        first = project.state()["captured_at"]
        project.run("capture", "sidecar", "--case", "case-001")
        assert project.state()["earlier"] == {f"case-00{n}": first for n in (0, 2, 3, 4)}


class TestFailingCases:
    def test_one_failing_case_does_not_stop_the_others_and_carries_its_error(self, project, server, capsys):
        server.routes["/search"] = by_case(
            n1=answer({"ok": False, "message": "embedding service timed out"}), n3=answer({}, 500)
        )
        assert project.run("capture", "sidecar") == 0
        state = project.state()
        assert sorted(project.recorded()) == ["case-000", "case-002", "case-004"]
        assert (state["status"], state["code"]) == ("degraded", "some_failed")
        assert state["failed"] == {
            "case-001": {
                "state": "error",
                "code": "service_error",
                "reason": "ok_when (ok) is not true of an object with the keys message, ok, and items `hits` finds"
                " nothing in an object with the keys message, ok; the service says: embedding service timed out",
            },
            "case-003": {
                "state": "unavailable",
                "code": "http_500",
                "reason": "the service answered 500 Internal Server Error",
            },
        }
        assert "2 of 5 cases have no answer" in capsys.readouterr().err

    def test_a_failing_case_keeps_its_last_good_recording_with_its_date(self, project, server):
        project.run("capture", "sidecar")
        first, good = project.state()["captured_at"], project.recorded()["case-001"]
        server.routes["/search"] = by_case(n1=answer({}, 500))
        project.run("capture", "sidecar")
        assert project.recorded()["case-001"] == good
        assert project.state()["earlier"] == {"case-001": first}
        assert list(project.state()["failed"]) == ["case-001"]

    def test_a_partial_answer_is_kept_and_marked(self, project, server):
        partial_answer = {"ok": True, "partial": True, "message": "1 shard failed", "hits": [{"doc": "d", "id": "c"}]}
        server.routes["/search"] = by_case(n2=answer(partial_answer))
        project.run("capture", "sidecar")
        recording = project.recorded()["case-002"]
        assert (recording["state"], recording["code"]) == ("ok", "partial")
        assert recording["reason"] == "partial_when (partial) is true; the service says: 1 shard failed"
        assert (project.state()["status"], project.state()["code"]) == ("degraded", "partial")

    def test_an_empty_answer_is_an_answer(self, project, server):
        server.routes["/search"] = answer({"ok": True, "hits": []})
        project.run("capture", "sidecar")
        assert (project.state()["status"], project.recorded()["case-000"]["candidates"]) == ("ready", [])

    @pytest.mark.parametrize(
        ("found", "words"),
        [
            ([], "nothing was found for any of 5 cases; is the index empty?"),
            ([{"doc": "d", "id": "c"}], "all 5 cases got the same results; does the request hold the query?"),
        ],
    )
    def test_one_ranking_for_all_cases_is_warned_of(self, project, server, capsys, found, words):
        server.routes["/search"] = answer({"ok": True, "hits": found})
        assert project.run("capture", "sidecar") == 0
        assert capsys.readouterr().err.splitlines()[-1] == f"warning: {words}"
        project.run("capture", "sidecar", "--tag", "odd")
        assert "warning" not in capsys.readouterr().err

    def test_different_rankings_are_not_warned_of(self, project, capsys):
        project.run("capture", "sidecar")
        assert "warning" not in capsys.readouterr().err

    def test_recordings_do_not_go_to_a_file(self, project, server, capsys):
        assert project.run("capture", "sidecar", "--out", "params.yaml") == 2
        words = "params.yaml: recordings go to a folder, and this is a file. Name another.\n1 problem\n"
        assert (capsys.readouterr().err, server.log) == (words, [])

    def test_a_query_beyond_the_services_limit_is_an_error_and_never_cut(self, project, server):
        project.service(request=SERVICE["request"] | {"max_query_chars": 3})
        project.run("capture", "sidecar")
        assert server.log == []
        assert project.state()["code"] == "query_too_long"

    @pytest.mark.parametrize(
        ("behaviour", "code"),
        [
            (answer({"message": "no"}, 401), "http_401"),
            (answer({"message": "no"}, 403), "http_403"),
            (answer(b"<title>log in</title>", headers={"Content-Type": "text/html"}), "wrong_content_type"),
            (answer(b" " * 3000), "too_large"),
            (answer({"ok": False, "message": "token expired"}), "service_error"),
        ],
    )
    def test_the_same_failure_in_a_row_is_given_up(self, project, server, capsys, behaviour, code):
        project.cases(40)
        project.service(limits=SERVICE["limits"] | {"concurrency": 1, "max_bytes": 2000})
        server.routes["/search"] = behaviour
        assert project.run("capture", "sidecar") == 0
        assert len(server.log) in {3, 4}
        assert (project.state()["status"], project.state()["code"]) == ("unavailable", code)
        assert (
            "gave up after 3 cases in a row without a usable answer (limits.give_up_after)" in capsys.readouterr().err
        )

    @pytest.mark.parametrize("rows", [[(404, 5)], [(400, 2), (422, 2), (400, 2)]])
    def test_nothing_found_and_other_failures_in_turn_are_not(self, project, server, rows):
        project.cases(8)
        project.service(limits=SERVICE["limits"] | {"concurrency": 1})
        statuses = [status for status, count in rows for _ in range(count)]
        server.routes["/search"] = by_case(**{f"n{n}": answer({}, status) for n, status in enumerate(statuses)})
        project.run("capture", "sidecar")
        assert len(server.log) == 8
        assert project.state()["code"] == "some_failed"
        assert len(project.recorded()) == 8 - len(statuses)


class TestDamage:
    """An interrupted capture of two answers out of five, and what is damaged of it."""

    @pytest.fixture
    def waiting(self, project, server, capsys):
        project.service(limits=SERVICE["limits"] | {"concurrency": 1})
        server.routes["/search"] = by_case(n2=answer({}, 503), n3=answer({}, 503), n4=answer({}, 503))
        project.run("capture", "sidecar")
        server.routes["/search"] = by_case()
        server.log.clear()
        capsys.readouterr()
        return project.root / "data/fixtures/.sidecar.capture"

    @pytest.mark.parametrize("text", ["", '{"started_at": "20', "[]"])
    def test_without_resume_a_damaged_plan_is_told_and_the_capture_starts_anew(
        self, project, server, waiting, capsys, text
    ):
        (waiting / "plan.json").write_text(text)
        assert project.run("capture", "sidecar") == 0
        told = capsys.readouterr().err
        assert "warning: an interrupted capture is damaged; its 2 answers are dropped, and this one starts anew" in told
        assert "--resume would have" not in told
        assert (len(server.log), project.state()["status"], waiting.exists()) == (5, "ready", False)

    def test_with_resume_a_damaged_plan_is_refused_with_the_remedy(self, project, server, waiting, capsys):
        (waiting / "plan.json").write_text("")
        assert project.run("capture", "sidecar", "--resume") == 2
        told = capsys.readouterr().err
        assert "the plan of the interrupted capture is damaged: " in told
        assert "Start anew, without --resume.\n1 problem\n" in told
        assert server.log == []

    def test_with_resume_damaged_answers_are_asked_again_and_named_together(self, project, server, waiting, capsys):
        (waiting / "answers/case-000.json").write_text("")
        (waiting / "answers/case-001.json").write_text('{"case_id": "case-001", "query": "问题 1", "top_k": 2}')
        assert project.run("capture", "sidecar", "--resume") == 0
        told = capsys.readouterr().err
        assert "answers that waited are damaged, and are asked again: case-000, case-001\n" in told
        assert sorted(one.json["id"] for one in server.log) == [f"case-00{n}" for n in range(5)]
        assert (project.state()["status"], len(project.recorded())) == ("ready", 5)

    def test_a_damaged_answer_whose_case_fails_now_takes_no_place(self, project, server, waiting):
        (waiting / "answers/case-000.json").write_text("")
        server.routes["/search"] = by_case(n0=answer({}, 500))
        project.run("capture", "sidecar", "--resume")
        assert (list(project.state()["failed"]), len(project.recorded())) == (["case-000"], 4)

    @pytest.mark.parametrize(("options", "asked"), [([], 5), (["--resume"], 3)])
    def test_a_damaged_mark_of_a_whole_capture_is_dropped_and_its_answers_wait(
        self, project, server, waiting, capsys, options, asked
    ):
        (waiting / "done.json").write_text("")
        assert project.run("capture", "sidecar", *options) == 0
        told = capsys.readouterr().err
        assert "warning: the mark of an interrupted capture whose answers were all in is damaged, and dropped" in told
        assert (len(server.log), project.state()["status"]) == (asked, "ready")

    @pytest.mark.parametrize("text", ["", '{"path": "sidecar"', '{"path": 5}'])
    def test_a_damaged_state_counts_as_never_captured_and_the_recordings_stay(self, project, capsys, monkeypatch, text):
        project.run("capture", "sidecar")
        state = project.root / "data/fixtures/sidecar/recording.json"
        state.write_text(text)
        with monkeypatch.context() as patch:
            patch.setenv("RAG_URL", "http://127.0.0.1:9")
            assert project.run("capture", "sidecar") == 0
        told = capsys.readouterr().err
        assert "warning: the state of the last capture is damaged, and counts as never captured; the recordings" in told
        assert told.endswith("The 5 recordings in data/fixtures/sidecar stay.\n")
        assert (project.state()["code"], len(project.recorded())) == ("connection_refused", 5)
        state.write_text(text)
        assert project.run("capture", "sidecar", "--case", "case-001") == 0
        assert (project.state()["status"], project.state()["earlier"], len(project.recorded())) == ("ready", {}, 5)


class TestUnavailable:
    @pytest.fixture
    def captured(self, project):
        project.run("capture", "sidecar")
        return project, project.state(), project.recorded()

    def check_kept(self, captured, code, capsys):
        project, before, recordings = captured
        assert project.run("capture", "sidecar") == 0
        state = project.state()
        assert (state["status"], state["code"]) == ("unavailable", code)
        assert state["captured_at"] == before["captured_at"]
        assert state["provenance"] == before["provenance"]
        assert project.recorded() == recordings
        assert f"The recordings of {before['captured_at']} stay." in capsys.readouterr().err
        return state["reason"]

    def test_disabled(self, captured, server, capsys):
        captured[0].service(enabled=False)
        asked = len(server.log)
        assert self.check_kept(captured, "disabled", capsys) == "sidecar is disabled in services.yaml"
        assert len(server.log) == asked

    def test_nothing_listens(self, captured, monkeypatch, capsys):
        monkeypatch.setenv("RAG_URL", "http://127.0.0.1:9")
        reason = self.check_kept(captured, "connection_refused", capsys)
        assert reason == "no case was answered: nothing listens at the address"

    def test_every_case_refused_for_want_of_a_valid_token(self, captured, server, capsys):
        server.routes["/search"] = answer({"message": "token expired"}, 401)
        reason = self.check_kept(captured, "http_401", capsys)
        assert "token expired" in reason

    @pytest.mark.parametrize(
        ("behaviour", "code", "words"),
        [
            (answer({"status": "DOWN"}, 503), "health_down", "the health check answered 503, and `status == 'UP'`"),
            (answer(b"<h1>", 502, {"Content-Type": "text/html"}), "http_502", "the health check answered 502"),
            (answer({"status": "UP"}, after=4), "timeout", "the health check failed: nothing came for 2 s"),
            (answer(b"ok", headers={"Content-Type": "text/plain"}), "bad_answer", "answered null, not an object"),
        ],
    )
    def test_a_health_check_that_fails(self, captured, server, behaviour, code, words, capsys):
        server.routes["/health"] = behaviour
        captured[0].service(health={"url": "${RAG_URL}/health", "ok_when": "status == 'UP'"})
        asked = len(server.log)
        assert words in self.check_kept(captured, code, capsys)
        assert len(server.log) == asked + 1

    def test_a_folder_that_was_copied_from_another_path_becomes_this_ones(self, captured, monkeypatch):
        project, before, _ = captured
        file = project.root / "data/fixtures/sidecar/recording.json"
        for address in ("http://127.0.0.1:9", None):
            file.write_text(json.dumps(before | {"path": "current"}), "utf-8")
            with monkeypatch.context() as patch:
                if address:
                    patch.setenv("RAG_URL", address)
                project.run("capture", "sidecar")
            assert (project.state()["path"], project.state()["status"] == "ready") == ("sidecar", address is None)

    def test_never_captured_says_so(self, project, monkeypatch, capsys):
        monkeypatch.setenv("RAG_URL", "http://127.0.0.1:9")
        assert project.run("capture", "sidecar") == 0
        assert capsys.readouterr().err.endswith(
            "sidecar is unavailable (connection_refused): no case was answered: nothing listens at the address. "
            "There are no earlier recordings.\n"
        )

    def test_a_service_that_goes_away_is_not_asked_for_ever_and_its_answers_wait(self, project, server, capsys):
        project.cases(40)
        project.service(limits=SERVICE["limits"] | {"concurrency": 1})
        server.routes["/search"] = by_case(**{f"n{n}": answer({}, 503) for n in range(4, 40)})
        project.run("capture", "sidecar")
        asked = len(server.log)
        assert asked in {4 + 3, 4 + 3 + 1}  # the next request may be out before the third failure has been read
        assert project.recorded() == {}
        assert (project.state()["status"], project.state()["code"]) == ("unavailable", "http_503")
        assert "4 of 40 cases were answered" in capsys.readouterr().err
        server.routes["/search"] = by_case()
        project.run("capture", "sidecar", "--resume")
        assert len(server.log) == asked + 36
        assert (len(project.recorded()), project.state()["status"]) == (40, "ready")

    def test_answers_that_wait_are_dropped_only_for_a_service_that_is_there_and_not_silently(
        self, project, server, capsys
    ):
        health = {"url": "${RAG_URL}/health"}
        limits = SERVICE["limits"] | {"concurrency": 1}
        project.service(limits=limits, health=health)
        server.routes["/health"] = answer({})
        server.routes["/search"] = by_case(n2=answer({}, 503), n3=answer({}, 503), n4=answer({}, 503))
        project.run("capture", "sidecar")
        server.routes["/health"] = answer({}, 503)
        project.run("capture", "sidecar")
        server.routes["/health"] = answer({})
        capsys.readouterr()
        project.run("capture", "sidecar")
        assert "dropped 2 answers of an interrupted capture; --resume would have gone on" in capsys.readouterr().err
        server.routes["/search"] = by_case()
        project.run("capture", "sidecar", "--resume")
        project.run("capture", "sidecar", "--resume")
        assert "there is no interrupted capture of sidecar; starting anew" in capsys.readouterr().err
        assert [one.path for one in server.log].count("/search") == 5 + 5 + 3 + 5

    def test_a_service_that_is_up_but_degraded(self, project, server):
        server.routes["/health"] = answer({"status": "UP", "mode": "dense only"})
        project.service(health={"url": "${RAG_URL}/health", "degraded_when": "mode == 'dense only'", "message": "mode"})
        project.run("capture", "sidecar")
        state = project.state()
        assert (state["status"], state["code"]) == ("degraded", "health_degraded")
        assert state["reason"].endswith("it says: dense only")


class TestEmbedding:
    @pytest.fixture
    def vectors(self, project, server):
        project.service(
            request={"url": "${RAG_URL}/search", "body": {"v": "{{vector}}", "id": "{{case_id}}"}},
            embedding={"url": "${RAG_URL}/embed?key=a", "body": {"input": "{{query}}"}},
        )
        return server

    def test_the_query_becomes_the_vector_of_the_request(self, project, vectors):
        vectors.routes["/embed"] = answer({"data": [{"embedding": [0.25, 1]}]})
        project.run("capture", "sidecar", "--case", "case-001")
        assert [one.json for one in vectors.log] == [{"input": "问题 1"}, {"v": [0.25, 1], "id": "case-001"}]
        assert [one.target for one in vectors.log] == ["/embed?key=a", "/search"]
        assert project.state()["status"] == "ready"

    @pytest.mark.parametrize(
        ("behaviour", "code", "words"),
        [
            (
                answer({"error": "busy"}, 503),
                "no_vector",
                "the embedder answered 503, and `data[0].embedding` finds no vector",
            ),
            (answer({"data": []}), "no_vector", "finds no vector in an object with the keys data"),
            (answer({"data": [{"embedding": ["x"]}]}), "no_vector", "finds no vector"),
            (
                answer(b"<html>", headers={"Content-Type": "text/html"}),
                "wrong_content_type",
                "the embedder: the answer is",
            ),
        ],
    )
    def test_without_a_vector_the_service_is_not_asked(self, project, vectors, behaviour, code, words):
        vectors.routes["/embed"] = behaviour
        project.run("capture", "sidecar", "--case", "case-001")
        assert [one.path for one in vectors.log] == ["/embed"]
        assert project.state()["code"] == code
        assert words in project.state()["reason"]


class TestUsage:
    def test_a_variable_that_is_not_set_is_named(self, project, monkeypatch, capsys):
        monkeypatch.delenv("RAG_URL")
        assert project.run("capture", "sidecar") == 2
        assert capsys.readouterr().err == (
            "services.yaml: services.sidecar takes the environment variable RAG_URL, which is not set. "
            "Set RAG_URL, or write `enabled: false`.\n1 problem\n"
        )

    def test_a_path_that_is_not_described(self, project, capsys):
        assert project.run("capture", "live") == 2
        assert capsys.readouterr().err.startswith("services.yaml: no service 'live' is described.")

    def test_no_target(self, project, capsys):
        assert project.run("capture") == 2
        assert capsys.readouterr().err.startswith("name what to capture: current, sidecar, live")

    def test_resume_after_the_description_changed_is_refused(self, project, server, capsys):
        server.routes["/search"] = by_case(n4=answer({}, 503), n3=answer({}, 503), n2=answer({}, 503))
        project.service(limits=SERVICE["limits"] | {"concurrency": 1})
        project.run("capture", "sidecar")
        project.service(limits=SERVICE["limits"] | {"concurrency": 2})
        assert project.run("capture", "sidecar", "--resume") == 2
        assert "has changed since the interrupted capture began" in capsys.readouterr().err

    def test_a_ca_file_that_is_none(self, project, capsys):
        project.service(tls_ca_file="nowhere.pem")
        assert project.run("capture", "sidecar") == 2
        assert "services.sidecar.tls_ca_file cannot be read as PEM: No such file" in capsys.readouterr().err

    def test_presets_are_listed_and_printed(self, project, capsys):
        assert project.run("capture", "--presets") == 0
        assert "dify" in capsys.readouterr().out
        assert project.run("capture", "--presets", "dify") == 0
        assert "max_query_chars: 250" in capsys.readouterr().out
        assert project.run("capture", "--presets", "nosuch") == 2


class TestDryRunAndProbe:
    def test_what_a_dry_run_shows_is_what_is_sent_the_addresss_own_query_string_included(
        self, project, server, capsys, monkeypatch
    ):
        monkeypatch.setenv("RAG_KEY", "se cret")
        project.service(
            request=SERVICE["request"]
            | {
                "url": "${RAG_URL}/search?key=a%20b&mode=x#part",
                "params": {"mode": "{{query}}", "k": "{{topK}}", "all": True, "in": ["p", 2], "token": "${RAG_KEY}"},
            },
            health={"url": "${RAG_URL}/health?key=a"},
        )
        query = "/search?key=a%20b&mode=x&mode=%E9%97%AE%E9%A2%98+3&k=2&all=true&in=p&in=2&token="
        server.routes["/health"] = answer({})
        assert project.run("capture", "sidecar", "--dry-run", "--case", "case-003") == 0
        shown = json.loads(capsys.readouterr().out)
        assert shown["request"]["url"] == "${RAG_URL}" + query + "${RAG_KEY}#part"
        assert shown["health"]["url"] == "${RAG_URL}/health?key=a"
        assert project.run("capture", "sidecar", "--probe", "--case", "case-003") == 0
        assert f"request   POST ${{RAG_URL}}{query}${{RAG_KEY}}#part\n" in capsys.readouterr().out
        assert [one.target for one in server.log] == ["/health?key=a", query + "se+cret"]

    def test_a_dry_run_prints_the_request_and_sends_nothing(self, project, server, capsys, monkeypatch):
        monkeypatch.delenv("RAG_URL")
        assert project.run("capture", "sidecar", "--dry-run", "--case", "case-003") == 0
        assert json.loads(capsys.readouterr().out)["request"] == {
            "method": "POST",
            "url": "${RAG_URL}/search",
            "headers": {},
            "body": {"q": "问题 3", "k": 2, "id": "case-003"},
        }
        assert server.log == []

    def test_a_probe_shows_the_answer_beside_what_was_found_and_writes_nothing(self, project, capsys):
        assert project.run("capture", "sidecar", "--probe") == 0
        printed = capsys.readouterr().out
        assert "answer    HTTP 200, ok, 1 results" in printed
        assert re.search(r'"doc": "doc-0",\s+\| title        "T" by title', printed)
        assert "category     not mapped" in printed
        assert not (project.root / "data/fixtures").exists()

    def test_a_probe_names_what_was_not_found(self, project, server, capsys):
        server.routes["/search"] = answer({"ok": True, "hits": [{"doc": "d", "score": "high"}]})
        project.run("capture", "sidecar", "--probe")
        printed = capsys.readouterr().out
        assert "chunk_id     NOT FOUND by id" in printed
        assert printed.endswith("mapping   error (bad_answer): result 1: score finds 'high', not a number\n")

    def test_a_probe_without_an_answer_is_inconclusive(self, project, server, capsys):
        server.routes["/search"] = answer({}, 503)
        assert project.run("capture", "sidecar", "--probe") == 3
        assert "answer    HTTP 503, unavailable (http_503)" in capsys.readouterr().out
        assert not (project.root / "data/fixtures/sidecar").exists()

    def test_a_probe_of_a_wrong_shape_shows_the_answer(self, project, server, capsys):
        server.routes["/search"] = answer({"ok": True, "results": []})
        project.run("capture", "sidecar", "--probe")
        printed = capsys.readouterr().out
        assert "error (bad_answer): items `hits` finds nothing in an object with the keys ok, results" in printed
        assert '"results": []' in printed


def test_a_request_that_holds_no_query_is_warned_of(project, capsys):
    project.service(request={"url": "${RAG_URL}/search", "body": {"q": "{{querry}}", "k": "{{topK}}"}})
    assert project.run("capture", "sidecar", "--dry-run") == 0
    assert capsys.readouterr().err == (
        "warning: services.sidecar.request holds neither {{query}} nor {{vector}} ({{querry}} is unknown), "
        "so it asks the same for every case\n"
    )
    project.service()
    assert project.run("capture", "sidecar", "--dry-run") == 0
    assert capsys.readouterr().err == ""
