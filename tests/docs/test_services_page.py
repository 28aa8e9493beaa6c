"""The page on services names every key that services.yaml takes, and every reason code that a capture gives."""

import re
from pathlib import Path

import pytest

from stages.records.service_answer import Answer
from stages.records.services import Embedding, Health, Limits, Request, Service
from stages.retrievers.http_faults import CAUSES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/services.md").read_text(encoding="utf-8")
SOURCES = (
    "stages/core/answer_reading.py",
    "stages/core/health_reading.py",
    "stages/commands/service_question.py",
    "stages/retrievers/http_client.py",
    "stages/retrievers/http_faults.py",
)


@pytest.mark.parametrize("model", [Service, Request, Embedding, Answer, Health, Limits])
def test_every_key_is_named(model):
    named = set(re.findall(r"[A-Za-z_]+", PAGE))
    assert set(model.model_fields) <= named


def test_every_code_is_explained():
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in SOURCES)
    given = set(re.findall(r'(?:Readiness|Reading)\(\s*"[a-z_]+", "([a-z_]+)"', text))
    given |= set(re.findall(r'Failed\(\s*"([a-z_]+)"', text)) | {code for _, code, _, _ in CAUSES}
    assert {"health_down", "health_degraded", "bad_request", "service_error"} <= given
    assert {code for code in given if f"`{code}`" not in PAGE} == set()
