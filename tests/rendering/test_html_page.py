"""The HTML page in a real browser: what it shows, how it filters, and that hostile text stays text."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from made import READY, case, recording

from stages.core.baseline_report import baseline_report
from stages.core.baseline_view import baseline_view
from stages.core.path_scoring import score_path
from stages.core.replay import replay_path
from stages.records.yardstick import Yardstick
from stages.rendering.template import render

HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> \"'&"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=2000",
    "--dump-dom",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of four cases: strong, miss with hostile text, not run, and one without an answer."""
    cases = [
        case("a#s", case_id="found", fault_type="MQ_BACKLOG"),
        case("b#s", case_id="lost", query=HOSTILE),
        case("a#s", case_id="gone"),
        case(case_id="none"),
    ]
    made = {
        "found": recording("a#s", case_id="found"),
        "lost": recording("x#</script><b>", case_id="lost", query=HOSTILE),
        "none": recording(case_id="none"),
    }
    yardstick = Yardstick(
        top_k=3, cutoffs=(1,), primary_grain="section", min_keyword_coverage=0.6, relevance_floor=None
    )
    scored = score_path(cases, replay_path(cases, made, READY, 3, (1,)), yardstick)
    text = render("baseline.html.j2", **baseline_view(baseline_report(scored, []), scored.cases))
    file = tmp_path_factory.mktemp("page") / "baseline.html"
    file.write_text(text, encoding="utf-8")
    return file


def seen(page: Path, profile: Path, fragment: str = "") -> str:
    """Return the page's DOM after its script ran in Chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium on this machine")
    command = [browser, *FLAGS, f"--user-data-dir={profile}", f"{page.as_uri()}{fragment}"]
    return subprocess.run(command, capture_output=True, check=True, timeout=60, encoding="utf-8").stdout


def test_the_page_takes_nothing_from_elsewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"(?:src|href)=\"?(?:https?:)?//", text)
    assert "@import" not in text


def test_every_case_is_there_and_counted_by_the_script(page: Path, tmp_path: Path) -> None:
    dom = seen(page, tmp_path)
    assert "<output>4 of 4</output>" in dom
    assert dom.count("<details") == 4


def test_the_address_filters_by_level(page: Path, tmp_path: Path) -> None:
    dom = seen(page, tmp_path, "#miss,other")
    assert "<output>3 of 4</output>" in dom
    assert re.findall(r'<details data-level="(\w+)" data-words="[^"]*" hidden', dom) == ["strong"]


def test_hostile_text_stays_text(page: Path, tmp_path: Path) -> None:
    dom = seen(page, tmp_path)
    assert "<title>Retrieval baseline</title>" in dom
    assert dom.count("<script") == 1
    assert "<img" not in dom
