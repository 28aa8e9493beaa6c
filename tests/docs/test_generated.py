"""The parts of the documentation that are made from the code are as the code makes them."""

import importlib.util
import re
from pathlib import Path

import pytest

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
generate = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generate)


SLOW = {"docs/retrievers.md", "docs/runbook-evaluator.md"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in generate.GENERATED]
)
def test_a_generated_page_is_current(name: str) -> None:
    written = (ROOT / name).read_text(encoding="utf-8")
    assert written == generate.GENERATED[name](), "run `make docs`"


def test_every_link_of_the_documentation_leads_to_a_file() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    links = [(page, target) for page in pages for target in LINK.findall(page.read_text(encoding="utf-8"))]
    assert links
    assert not [f"{page.name}: {target}" for page, target in links if not (page.parent / target).exists()]
