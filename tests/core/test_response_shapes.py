"""Every published shape of answer is expressible as a declarative mapping."""

import json
from pathlib import Path

import pytest
import yaml

from stages.core.answer_reading import Reading, read_answer
from stages.core.candidate_mapping import to_candidates
from stages.core.request_template import fill, fill_url
from stages.records.services import Service
from stages.storage.services import read_services

HERE = Path(__file__).parent
MAPPINGS = yaml.safe_load((HERE / "response_mappings.yaml").read_text("utf-8"))


def service(name: str, folder: Path) -> Service:
    file = folder / "services.yaml"
    file.write_text(yaml.safe_dump({"services": {"current": MAPPINGS[name]}}, allow_unicode=True), "utf-8")
    return read_services(file).services["current"]


@pytest.fixture
def shapes(shared):
    return {one["name"]: one for one in json.loads((shared / "reference/response-shapes.json").read_text("utf-8"))}


@pytest.fixture
def shape(shapes, name):
    return shapes[name]


def test_there_is_a_mapping_for_each_shape(shapes):
    assert list(shapes) == list(MAPPINGS)


@pytest.mark.parametrize("name", MAPPINGS)
class TestShapes:
    def test_the_template_makes_the_request(self, shape, tmp_path):
        request = service(shape["name"], tmp_path).request
        body = shape["request"]["body"]
        vector = next(iter(body.get("data", [])), None) or body.get("query")
        values = {"query": "订单队列积压", "topK": 5, "vector": vector}
        assert fill(request.body, values, {}) == body
        assert request.method == shape["request"]["method"]
        assert fill_url(request.url, values, {}) == f"http://rag.test{shape['request']['path']}"

    def test_the_mapping_makes_the_candidates_or_the_state(self, shape, tmp_path):
        described = service(shape["name"], tmp_path)
        response, expected = shape["response"], shape["expect"]
        reading = read_answer(response["status"], response["body"], described.answer)
        assert reading.state == expected["state"], reading
        assert expected.get("reason_contains", "") in (reading.reason or "")
        if "candidates" in expected:
            found = to_candidates(reading.items, described.answer, described.score)
            assert len(found) == len(expected["candidates"])
            for candidate, fields in zip(found, expected["candidates"], strict=True):
                dumped = candidate.model_dump(mode="json")
                assert {name: dumped[name] for name in fields} == fields
        else:
            assert reading.items == Reading("ok").items
