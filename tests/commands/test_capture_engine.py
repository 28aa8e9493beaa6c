"""`capture` of engines: real ones over a small corpus, recorded whole or not at all."""

import argparse
import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from stages.commands import capture
from stages.core.cut_recording import cut_recording
from stages.records.problem import InputError
from stages.storage.capture_lock import capture_lock
from stages.storage.recordings import read_path_state, read_recordings
from tests.embedding_server import embeddings
from tests.loopback import Answer, closed_port, json_service, silent_port

if find_spec("pymilvus") is None or find_spec("milvus_lite") is None:
    pytest.skip("the extra 'milvus' (pymilvus, milvus-lite) is not installed", allow_module_level=True)

ROOT = Path(__file__).parents[2]
SECTIONS = {
    "核心指标": "看 consumer lag 与分区",
    "常见原因": "消费者太慢，毒消息",
    "修复建议": "扩容消费者，跳过毒消息",
}
QUERIES = {"lag": "consumer lag 怎么看", "slow": "消费者太慢", "skip": "跳过毒消息", "nothing": "zzz qqq"}


@pytest.fixture(scope="module")
def embedder():
    with json_service(embeddings) as service:
        yield service


@pytest.fixture
def project(tmp_path, monkeypatch, embedder):
    """A folder with a corpus of nine chunks, four cases, and parameters that name the embedder on loopback."""
    monkeypatch.chdir(tmp_path)
    for product in ("kafka", "rocketmq", "redis"):
        body = "".join(f"## {name}\n{product}：{text}\n" for name, text in SECTIONS.items())
        write(f"data/corpus/{product}.md", f"---\ntitle: {product} 手册\nlang: zh\n---\n{body}")
    write_cases(QUERIES)
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    params["embedder"] = {"threads": 1, "http": {"url": f"{embedder.url}/v1/embeddings", "model": "characters"}}
    params["hybrid"]["depth"] = params["milvus"]["depth"] = params["bm25"]["depth"] = 30
    save(params)
    return params


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def save(params):
    write("params.yaml", yaml.safe_dump(params, allow_unicode=True))


def write_cases(queries):
    expected = {"documents": [{"doc_id": "kafka"}], "evidence": {"keywords": ["lag"]}}
    cases = [{"id": name, "query": query, "expected": expected, "tags": [name]} for name, query in queries.items()]
    write("data/golden/cases.yaml", yaml.safe_dump({"scenario": "chat_lookup", "cases": cases}, allow_unicode=True))


def run(*arguments):
    parser = argparse.ArgumentParser()
    capture.add_arguments(parser)
    return capture.run(parser.parse_args(arguments))


def everything(folder):
    return {file.name: file.read_bytes() for file in sorted(Path(folder).iterdir())}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("target", "folder", "path"),
    [
        ("bm25", "data/fixtures/bm25", "bm25"),
        ("milvus", "data/fixtures/milvus", "milvus"),
        ("hybrid", "data/fixtures/baseline", "fixture"),
        ("baseline", "data/fixtures/baseline", "fixture"),
    ],
)
def test_recording_twice_gives_the_same_bytes_and_no_clock(target, folder, path, capsys):
    assert run(target) == 0
    first = everything(folder)
    assert run(target) == 0
    assert everything(folder) == first
    assert sorted(first) == ["lag.json", "nothing.json", "recording.json", "skip.json", "slow.json"]
    state = read_path_state(Path(folder), path)
    assert (state.path, state.status, state.captured_at) == (path, "ready", None)
    assert capsys.readouterr().err.splitlines()[-1] == f"{target}: 4 cases are recorded in {folder}"
    assert str(Path.cwd()) not in b"".join(first.values()).decode()


@pytest.mark.usefixtures("project")
def test_a_recording_says_what_was_found_and_how(embedder):
    run("milvus")
    recording = read_recordings(Path("data/fixtures/milvus"))["slow"]
    assert (recording.query, recording.top_k, len(recording.candidates)) == ("消费者太慢", 30, 9)
    best = recording.candidates[0]
    assert (best.rank, best.section, best.score_label, best.title) == (1, "常见原因", "cosine", f"{best.doc_id} 手册")
    assert best.content == f"{best.doc_id}：消费者太慢，毒消息"
    assert recording.provenance["embedder"]["name"] == "characters"
    assert embedder.url not in recording.model_dump_json()


@pytest.mark.usefixtures("project")
def test_an_empty_answer_is_recorded_as_an_answer():
    run("bm25")
    recording = read_recordings(Path("data/fixtures/bm25"))["nothing"]
    assert (recording.state, recording.candidates) == ("ok", ())


@pytest.mark.usefixtures("project")
def test_the_hybrid_captured_live_equals_the_pure_stage_on_recorded_arms():
    """The stage fuses what `search` and `capture milvus` recorded; the capture asks both engines at once."""
    for stage in ("load", "search"):
        stage_run(stage)
    run("milvus")
    stage_run("fuse")
    run("hybrid", "--top-k", "9")
    fused = read_recordings(Path("data/build/hybrid"))
    live = read_recordings(Path("data/fixtures/baseline"))
    assert {name: cut_recording(recording, 9) for name, recording in fused.items()} == live
    stage_state, live_state = (
        read_path_state(Path(folder), "") for folder in ("data/build/hybrid", "data/fixtures/baseline")
    )
    assert live_state.provenance == stage_state.provenance


def stage_run(stage):
    command = [sys.executable, "-m", f"stages.{stage}"]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(ROOT), "PATH": ""}, stderr=subprocess.PIPE)


def test_the_baseline_is_made_anew_from_recorded_arms_with_milvus_and_embedder_down(project):
    """A change of weights is recorded without an engine, to the bytes that asking the engines would give."""
    run("milvus")
    project["hybrid"]["weights"] = {"bm25": 1.0, "milvus": 3.0}
    save(project)
    run("baseline", "--top-k", "9")
    live = everything("data/fixtures/baseline")
    shutil.rmtree("data/fixtures/baseline")
    project["embedder"]["http"]["url"] = f"http://127.0.0.1:{closed_port()}/v1/embeddings"
    save(project)
    run("baseline", "--top-k", "9", "--recorded")
    assert everything("data/fixtures/baseline") == live


@pytest.mark.usefixtures("project")
def test_what_milvus_did_not_record_is_named_case_by_case():
    with pytest.raises(InputError) as error:
        run("baseline", "--recorded")
    down = "data/fixtures/milvus: milvus is unavailable: milvus was never captured"
    assert str(error.value) == f"{down}. Capture milvus first, or leave --recorded out."
    run("milvus")
    write_cases({**QUERIES, next(iter(QUERIES)): "another question"})
    with pytest.raises(InputError) as error:
        run("baseline", "--recorded")
    (problem,) = error.value.problems
    assert (problem.case_id, problem.message) == (next(iter(QUERIES)), "milvus has no recording of this query")
    assert not Path("data/fixtures/baseline").exists()


@pytest.mark.usefixtures("project")
def test_the_baseline_can_be_made_with_one_engine():
    run("baseline", "--retriever", "bm25", "--top-k", "2")
    state = read_path_state(Path("data/fixtures/baseline"), "fixture")
    assert state.provenance["engine"] == "bm25"
    recordings = read_recordings(Path("data/fixtures/baseline"))
    assert {recording.top_k for recording in recordings.values()} == {2}


def test_an_outage_keeps_the_last_good_recordings_and_says_so(project, capsys):
    run("milvus")
    good = everything("data/fixtures/milvus")
    port = closed_port()
    project["milvus"]["uri"] = f"http://127.0.0.1:{port}"
    save(project)
    assert run("milvus") == 0
    after = everything("data/fixtures/milvus")
    state = json.loads(after.pop("recording.json"))
    assert after == {name: content for name, content in good.items() if name != "recording.json"}
    assert (state["status"], state["code"]) == ("unavailable", "connection_refused")
    assert state["provenance"] == json.loads(good["recording.json"])["provenance"]
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"milvus is unavailable (connection_refused): no Milvus at 127.0.0.1:{port}: Connection refused. "
        "The 4 recordings in data/fixtures/milvus stay."
    )
    project["milvus"]["uri"] = "data/build/milvus.db"
    save(project)
    run("milvus")
    assert everything("data/fixtures/milvus") == good


def test_an_engine_that_never_was_there_is_a_state_and_no_recording(project, capsys):
    with silent_port() as port:
        project["milvus"] |= {"uri": f"http://127.0.0.1:{port}", "timeout_s": 0.3}
        save(project)
        assert run("milvus", "--json") == 0
    printed = capsys.readouterr()
    assert list(everything("data/fixtures/milvus")) == ["recording.json"]
    assert json.loads(printed.out)["code"] == "timeout"
    assert printed.err.splitlines()[-1].endswith("There are no earlier recordings.")


def test_an_embedder_that_goes_down_in_the_middle_changes_no_recording(project):
    run("milvus")
    good = everything("data/fixtures/milvus")
    write_cases({**QUERIES, "aaa": "一个新的问题", "zzz": "另一个新的问题"})
    with json_service(lambda body, number: embeddings(body) if number == 0 else Answer(b"", 500)) as dying:
        project["embedder"]["http"] |= {"url": f"{dying.url}/v1/embeddings", "retries": 0}
        save(project)
        run("milvus")
        assert len(dying.bodies) == 2
    after = everything("data/fixtures/milvus")
    assert json.loads(after.pop("recording.json"))["code"] == "embedder_http_500"
    good.pop("recording.json")
    assert after == good


def test_the_hybrid_is_not_recorded_without_one_of_its_arms(project):
    project["milvus"]["uri"] = f"http://127.0.0.1:{closed_port()}"
    save(project)
    run("baseline")
    assert list(everything("data/fixtures/baseline")) == ["recording.json"]
    project["hybrid"]["weights"] = {"bm25": 1.0, "milvus": 0.0}
    save(project)
    run("baseline")
    assert read_path_state(Path("data/fixtures/baseline"), "fixture").status == "ready"


@pytest.mark.usefixtures("project")
def test_recordings_of_removed_cases_are_removed_with_a_word(capsys):
    run("bm25")
    write_cases({"lag": QUERIES["lag"]})
    run("bm25")
    assert sorted(everything("data/fixtures/bm25")) == ["lag.json", "recording.json"]
    assert "bm25: removed 3 recordings of cases that are no more: nothing, skip, slow" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_a_single_golden_file_says_nothing_about_the_recordings_of_other_files():
    run("bm25")
    write("data/golden/more.yaml", Path("data/golden/cases.yaml").read_text(encoding="utf-8").replace("id: ", "id: x-"))
    run("bm25", "--golden", "data/golden/more.yaml")
    assert {"lag.json", "x-lag.json"} < everything("data/fixtures/bm25").keys()


def test_a_part_of_the_cases_is_recorded_beside_the_others_only_if_all_else_is_equal(project):
    run("bm25")
    good = everything("data/fixtures/bm25")
    run("bm25", "--case", "lag", "--tag", "lag", "--scenario", "chat_lookup")
    assert everything("data/fixtures/bm25") == good
    project["bm25"]["k1"] = 0.5
    save(project)
    with pytest.raises(InputError) as error:
        run("bm25", "--case", "lag")
    assert str(error.value) == (
        "data/fixtures/bm25: the recordings here were made from another corpus, or with another embedder or "
        "other parameters. Capture all cases."
    )
    assert everything("data/fixtures/bm25") == good


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bm25", "--case", "laag"], "data/golden: no case has the id 'laag'. Check --case, --tag and --scenario."),
        (
            ["bm25", "--top-k", "31"],
            "params.yaml: --top-k is 31, but bm25 is asked for 30 candidates. Raise its depth, or ask for fewer.",
        ),
        (
            ["bm25", "--resume"],
            "--resume: an engine is asked as a whole. Leave it out; vectors that were made are kept.",
        ),
        (
            ["bm25", "--recorded"],
            "--recorded: bm25 has no arms to take from recordings. Use it with hybrid or baseline.",
        ),
        (
            ["bm25", "--corpus", "data/nothing"],
            "data/nothing: there is no such corpus. Name a folder of *.md or a *.jsonl file.",
        ),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(arguments, message):
    with pytest.raises(InputError) as error:
        run(*arguments)
    assert str(error.value) == message
    assert list(Path("data/fixtures").glob("*")) == []


@pytest.mark.usefixtures("project")
def test_json_which_is_no_recording_is_not_removed_from_the_folder():
    write("package.json", '{"name": "x"}')
    write("gone.json", json.dumps({"case_id": "gone", "query": "q", "top_k": 1, "candidates": []}))
    run("bm25", "--out", ".")
    assert (Path("package.json").exists(), Path("gone.json").exists(), Path("lag.json").exists()) == (True, False, True)


# As in test_capture_interrupted: no bytecode, or later starts would read half a module.
FULL_DISK = """
import resource, sys
sys.dont_write_bytecode = True
from stages.__main__ import main
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
sys.argv = ["retrieval-eval", "capture", "bm25"]
sys.exit(main())
"""


@pytest.mark.usefixtures("project")
def test_a_disk_that_is_full_in_the_middle_changes_no_recording():
    run("bm25", "--out", "whole")
    sizes = {name: (Path("whole") / name).stat().st_size for name in ("lag.json", "slow.json")}
    assert sizes["lag.json"] < 2000 < sizes["slow.json"]
    run("bm25", "--top-k", "1")
    good = everything("data/fixtures/bm25")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert everything("data/fixtures/bm25") == good
    assert [one.name for one in Path("data/fixtures").iterdir()] == ["bm25"]


@pytest.mark.usefixtures("project")
def test_two_captures_of_one_path_do_not_run_at_once():
    with capture_lock(Path("data/fixtures/bm25"), "bm25"), pytest.raises(InputError) as error:
        run("bm25")
    assert "another capture of bm25 is running" in str(error.value)
    assert run("bm25") == 0


@pytest.mark.usefixtures("project")
def test_a_dry_run_and_a_probe_write_nothing(capsys, embedder):
    asked = len(embedder.bodies)
    assert run("milvus", "--dry-run", "--case", "lag") == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["target"], plan["folder"], plan["cases"], plan["first"]["id"]) == (
        "milvus",
        "data/fixtures/milvus",
        1,
        "lag",
    )
    assert len(embedder.bodies) == asked
    assert run("milvus", "--probe", "--case", "lag", "--top-k", "2") == 0
    assert len(json.loads(capsys.readouterr().out)["candidates"]) == 2
    assert not Path("data/fixtures").exists()


def test_a_probe_of_an_engine_that_is_not_there_is_inconclusive(project, capsys):
    project["milvus"]["uri"] = "http://127.0.0.1:port"
    save(project)
    assert run("milvus", "--probe") == 3
    assert capsys.readouterr().err.startswith("milvus is unavailable (bad_uri)")


def by_length(body, _):
    scored = [{"index": index, "relevance_score": len(text) / 7} for index, text in enumerate(body["documents"])]
    return Answer({"results": scored})


def test_a_reranker_orders_the_candidates_of_the_baseline_anew(project):
    run("baseline")
    before = read_recordings(Path("data/fixtures/baseline"))
    with json_service(by_length) as service:
        project["reranker"] = {"url": f"{service.url}/rerank", "model": "longest-first"}
        save(project)
        run("rerank")
        first = everything("data/fixtures/rerank")
        run("rerank")
    assert everything("data/fixtures/rerank") == first
    assert service.bodies[0]["documents"][0].startswith(before["lag"].candidates[0].title)
    after = read_recordings(Path("data/fixtures/rerank"))
    for name, recording in after.items():
        scores = [candidate.score for candidate in recording.candidates]
        assert scores == sorted(scores, reverse=True)
        assert {c.chunk_id for c in recording.candidates} == {c.chunk_id for c in before[name].candidates}
        assert [c.rank for c in recording.candidates] == list(range(1, len(scores) + 1))
    assert after["lag"].candidates[0].score_label == "relevance_score"
    state = read_path_state(Path("data/fixtures/rerank"), "rerank")
    assert state.provenance["reranker"] == {"name": "longest-first", "form": "cohere"}
    assert state.provenance["candidates"]["engine"] == "hybrid"


def test_a_reranker_that_is_missing_or_has_nothing_to_do_is_a_state(project):
    run("rerank")
    assert read_path_state(Path("data/fixtures/rerank"), "rerank").code == "not_configured"
    project["reranker"] = {"url": f"http://127.0.0.1:{closed_port()}/rerank", "model": "down", "retries": 0}
    save(project)
    run("rerank")
    assert read_path_state(Path("data/fixtures/rerank"), "rerank").code == "no_candidates"
    run("baseline", "--retriever", "bm25", "--top-k", "3")
    run("rerank")
    assert read_path_state(Path("data/fixtures/rerank"), "rerank").code == "reranker_connection_refused"
    write_cases({**QUERIES, "lag": "另一个问题"})
    run("rerank")
    assert read_path_state(Path("data/fixtures/rerank"), "rerank").code == "stale_candidates"


@pytest.mark.usefixtures("project")
def test_damage_that_an_earlier_capture_left_blocks_none(capsys):
    folder = Path("data/fixtures/bm25")
    write(folder / "recording.json", '{"path": ')
    write(folder.parent / ".bm25.capture/done.json", "")
    assert run("bm25") == 0
    told = capsys.readouterr().err
    assert "the mark of an interrupted capture whose answers were all in is damaged" in told
    assert "the state of the last capture is damaged, and counts as never captured" in told
    assert read_path_state(folder, "bm25").status == "ready"
