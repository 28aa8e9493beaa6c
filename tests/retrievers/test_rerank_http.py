"""The reranking client against a real server on loopback, well-behaved and not."""

import pytest

from stages.retrievers.failure import EngineFailure
from stages.retrievers.json_service import JsonService
from stages.retrievers.rerank_http import HttpReranker
from tests.loopback import Answer, closed_port, json_service, silent_port

DOCUMENTS = ["甲", "乙乙乙", "丙丙", "丁丁"]


def reranker(url, form="cohere", **options):
    service = JsonService("reranker", f"{url}/rerank", timeout_s=options.pop("timeout_s", 5.0), retries=1, pause_s=0.01)
    return HttpReranker(service, "tiny-cross-encoder", form)


def by_length(documents):
    return [{"index": index, "relevance_score": len(text) / 10} for index, text in enumerate(documents)]


def test_the_common_form_is_asked_and_understood():
    def cohere(body, _):
        best = sorted(by_length(body["documents"]), key=lambda item: -item["relevance_score"])[: body["top_n"]]
        return Answer({"id": "1", "results": best, "meta": {}})

    with json_service(cohere) as service:
        assert reranker(service.url).rerank("问", DOCUMENTS, 3) == [(1, 0.3), (2, 0.2), (3, 0.2)]
    assert service.paths == ["/rerank"]
    assert service.bodies == [
        {
            "model": "tiny-cross-encoder",
            "query": "问",
            "documents": DOCUMENTS,
            "top_n": 3,
            "return_documents": False,
        }
    ]


def test_the_form_of_tei_is_asked_and_understood():
    def tei(body, _):
        return Answer([{"index": index, "score": len(text) / 10} for index, text in enumerate(body["texts"])][::-1])

    with json_service(tei) as service:
        assert reranker(service.url, "tei").rerank("问", DOCUMENTS, 2) == [(1, 0.3), (2, 0.2)]
    assert service.bodies == [{"query": "问", "texts": DOCUMENTS, "truncate": True}]


def test_a_data_list_is_understood_and_more_results_than_wanted_are_cut():
    with json_service(lambda body, _: Answer({"data": by_length(body["documents"])})) as service:
        assert reranker(service.url).rerank("问", DOCUMENTS, 1) == [(1, 0.3)]


def test_no_documents_ask_nothing():
    assert reranker("http://127.0.0.1:1").rerank("问", [], 5) == []


@pytest.mark.parametrize(
    ("answer", "code", "reason"),
    [
        (Answer({"results": []}), "reranker_wrong_count", "the reranker scored 0 documents where 4 were wanted"),
        (Answer({"detail": "?"}), "reranker_bad_answer", "the reranker's answer has no list of results"),
        (Answer("?"), "reranker_bad_answer", "the reranker's answer has no list of results"),
        (Answer([{"score": 1}]), "reranker_bad_answer", "the reranker's answer has the index None for 4 documents"),
        (Answer(["?"]), "reranker_bad_answer", "the reranker's answer has the index None for 4 documents"),
        (
            Answer([{"index": 4, "score": 1}]),
            "reranker_bad_answer",
            "the reranker's answer has the index 4 for 4 documents",
        ),
        (
            Answer([{"index": -1, "score": 1}]),
            "reranker_bad_answer",
            "the reranker's answer has the index -1 for 4 documents",
        ),
        (
            Answer([{"index": True, "score": 1}]),
            "reranker_bad_answer",
            "the reranker's answer has the index True for 4 documents",
        ),
        (Answer([{"index": 0, "score": "high"}]), "reranker_bad_answer", "the reranker's answer has the score 'high'"),
        (
            Answer(b'[{"index": 0, "score": NaN}]'),
            "reranker_bad_answer",
            "the reranker at {url}: the answer is no JSON: NaN is no number",
        ),
        (Answer([{"index": 0, "score": 1}] * 4), "reranker_bad_answer", "the reranker scored one document twice"),
        (Answer({"error": "no"}, 422), "reranker_http_422", "the reranker at {url} answered HTTP 422: no"),
        (Answer(b"down", 500), "reranker_http_500", "the reranker at {url} answered HTTP 500"),
    ],
)
def test_each_misbehaviour_has_a_code_and_a_reason(answer, code, reason):
    with json_service(lambda *_: answer) as service, pytest.raises(EngineFailure) as error:
        reranker(service.url).rerank("问", DOCUMENTS, 4)
    assert (error.value.code, error.value.reason) == (code, reason.format(url=f"{service.url}/rerank"))


def test_a_silent_port_and_a_closed_one_are_states():
    with silent_port() as port, pytest.raises(EngineFailure) as error:
        reranker(f"http://127.0.0.1:{port}", timeout_s=0.3).rerank("问", DOCUMENTS, 4)
    assert error.value.code == "reranker_timeout"
    with pytest.raises(EngineFailure) as error:
        reranker(f"http://127.0.0.1:{closed_port()}").rerank("问", DOCUMENTS, 4)
    assert error.value.code == "reranker_connection_refused"
