"""The page on engines names every reason code that the code can give, and no other."""

import re
from pathlib import Path

from stages.retrievers.http_faults import CAUSES

ROOT = Path(__file__).parents[1]
SOURCES = ("stages/retrievers", "stages/commands")


def codes_in_source():
    text = "\n".join(
        file.read_text(encoding="utf-8") for folder in SOURCES for file in sorted((ROOT / folder).glob("*.py"))
    )
    plain = set(re.findall(r'EngineFailure\(\s*"([a-z_]+)"', text))
    plain |= set(re.findall(r'code = "([a-z_]+)" if error.code', text)) | {"engine_error"}
    kinds = re.findall(r'(?:\.failure|Failed|BodyError)\(\s*"([a-z_]+)"', text) + [code for _, code, _, _ in CAUSES]
    return plain | {f"embedder_{kind}" for kind in kinds} | {"embedder_http_<status>", "reranker_…"}


def test_every_code_is_explained_and_every_explained_code_exists():
    table = (ROOT / "docs/engines.md").read_text(encoding="utf-8").partition("## When an engine is not there")[2]
    explained = {code for line in table.splitlines() for code in re.findall(r"`([^`]+)`", line.partition(" | ")[0])}
    explained.discard("code")
    assert explained == codes_in_source()
