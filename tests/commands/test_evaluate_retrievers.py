"""`evaluate --retriever`: replayed or live, in text, JSON and Markdown, and one failure beside the others' results."""

import json
import shutil
import time
from importlib.util import find_spec

import pytest

from stages.__main__ import main
from tests.embedding_server import embeddings
from tests.loopback import closed_port, json_service, silent_port
from tests.retriever_project import ROOT, make_project, set_params

SCREEN = """\
retriever   cases    hit@3  recall@3      MRR
bm25            4    0.750     0.750    0.750
milvus          4    0.750     0.750    0.625
hybrid          4    1.000     1.000    0.833
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


@pytest.fixture
def call(monkeypatch, capsys):
    """Run the command in this process; returns exit code, standard output and standard error."""

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["retrieval-eval", "evaluate", *arguments])
        code = main()
        return code, *capsys.readouterr()

    return run


@pytest.mark.usefixtures("project")
def test_the_screen_has_one_line_a_retriever(call):
    assert call("--retriever", "all") == (0, SCREEN, "")
    assert call("--retriever", "all", "--recorded", "--top-k", "3") == (0, SCREEN, "")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("name", ["bm25", "milvus", "hybrid"])
def test_one_retriever_alone_has_the_same_numbers_as_among_all(call, name):
    _, alone, _ = call("--retriever", name, "--json")
    _, together, _ = call("--retriever", "all", "--json")
    summaries = json.loads(together)["summaries"]
    assert json.loads(alone) == next(summary for summary in summaries if summary["retrieverName"] == name)


@pytest.mark.usefixtures("project")
def test_json_has_the_fields_of_the_contract(call):
    _, out, _ = call("--retriever", "bm25", "--top-k", "1", "--json")
    summary = json.loads(out)
    assert list(summary) == ["retrieverName", "caseCount", "hitAtK", "recallAtK", "mrr", "results"]
    result = summary["results"][0]
    assert list(result) == [
        *("caseId", "retrieverName", "topK", "hit", "reciprocalRank", "recall", "expected", "retrieved"),
    ]
    assert result["caseId"] == "lag"
    assert result["topK"] == 1
    assert result["expected"] == [{"docId": "kafka", "section": "核心指标"}]
    assert [(found["docId"], found["section"]) for found in result["retrieved"]] == [("kafka", "核心指标")]


@pytest.mark.usefixtures("project")
def test_the_report_is_markdown_and_goes_to_the_file_of_output(call, tmp_path):
    _, printed, _ = call("--retriever", "all", "--report")
    assert printed.startswith("# Retrievers\n")
    assert call("--retriever", "all", "--report", "--output", "deep/report.md") == (
        0,
        "",
        "written to deep/report.md\n",
    )
    assert (tmp_path / "deep/report.md").read_text(encoding="utf-8") == printed
    _, both, _ = call("--retriever", "all", "--report", "--json")
    assert json.loads(both)["markdownReport"] == printed


def test_milvus_never_captured_is_an_error_beside_the_results_of_bm25(call, project):
    shutil.rmtree(project / "data/fixtures/milvus")
    code, out, _ = call("--retriever", "all", "--json")
    bm25, milvus, hybrid = json.loads(out)["summaries"]
    assert code == 3
    assert bm25["hitAtK"] == 0.75
    assert milvus == {
        "retrieverName": "milvus",
        "error": "milvus was never captured",
        "errorCode": "not_captured",
        "state": "unavailable",
    }
    assert hybrid["warnings"] == [
        "degraded: 5 of 5 cases lack an arm; mostly: milvus was never captured; fused from bm25 alone"
    ]
    code, out, _ = call("--retriever", "milvus")
    assert (code, out.splitlines()[1]) == (3, "milvus     unavailable: milvus was never captured (not_captured)")
    assert call("--retriever", "hybrid")[0] == 3
    assert call("--retriever", "bm25")[0] == 0


def test_a_topk_beyond_the_recorded_depth_is_no_lower_recall(call, project):
    set_params(project, bm25={"depth": 2})
    code, out, _ = call("--retriever", "bm25", "--json")
    summary = json.loads(out)
    # The case without a candidate is complete at any depth; the others might have had more.
    assert (code, summary["caseCount"]) == (3, 1)
    assert summary["warnings"] == ["3 cases are in no mean, not run: recorded to depth 2, topK is 3"]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("option", ["--report", "--live", "--recorded"])
def test_options_of_retrievers_without_a_retriever_are_refused(call, option):
    assert call(option) == (2, "", f"{option}: it says how retrievers run. Add --retriever.\n1 problem\n")


def test_faults_in_the_input_are_problems_and_no_result(call, project):
    (project / "data/golden/broken.yaml").write_text("scenario: x\ncases: []\n", encoding="utf-8")
    code, out, error = call("--retriever", "bm25")
    assert (code, out) == (2, "")
    assert error.startswith("data/golden/broken.yaml:2:1: cases has no entry. ")


@pytest.mark.parametrize("port", [closed_port, None], ids=["refused", "silent"])
def test_live_with_milvus_down_keeps_the_results_of_bm25(call, project, port):
    if find_spec("pymilvus") is None:
        pytest.skip("the extra 'milvus' is not installed")
    with json_service(embeddings) as embedder, silent_port() as silent:
        number = port() if port else silent
        http = {"url": f"{embedder.url}/v1/embeddings", "model": "characters"}
        set_params(project, embedder={"http": http}, milvus={"uri": f"http://127.0.0.1:{number}", "timeout_s": 1})
        started = time.monotonic()
        code, out, _ = call("--retriever", "all", "--live", "--json")
    bm25, milvus, hybrid = json.loads(out)["summaries"]
    assert time.monotonic() - started < 20
    assert (code, bm25["hitAtK"], milvus["state"]) == (3, 0.75, "unavailable")
    assert milvus["errorCode"] == ("connection_refused" if port else "timeout")
    assert hybrid["warnings"][0].startswith("degraded: 5 of 5 cases lack an arm")


def test_live_equals_what_was_recorded_live(call, project, monkeypatch):
    """Fusing the arms while they answer and fusing their recordings give the same result, to the byte."""
    if find_spec("milvus_lite") is None:
        pytest.skip("the extra 'milvus' is not installed")
    with json_service(embeddings) as embedder:
        http = {"url": f"{embedder.url}/v1/embeddings", "model": "characters"}
        set_params(project, embedder={"http": http})
        code, live, _ = call("--retriever", "all", "--live", "--json")
        monkeypatch.setattr("sys.argv", ["retrieval-eval", "capture", "milvus"])
        assert main() == 0
    assert code == 0
    assert call("--retriever", "all", "--json")[1] == live


def test_the_shipped_set_is_evaluated_whole(call, monkeypatch):
    monkeypatch.chdir(ROOT)
    code, out, _ = call("--retriever", "all", "--top-k", "5", "--json")
    bm25 = json.loads(out)["summaries"][0]
    assert code in {0, 3}
    assert bm25["caseCount"] == len(bm25["results"]) > 250
    assert 0.3 < bm25["hitAtK"] < 0.95
    assert not (ROOT / "retrievers.md").exists()
