"""The command line as a whole: its overview, its version, and a verb that there is not."""

import subprocess
import sys
from pathlib import Path

import pytest

from stages.__main__ import VERBS

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stages", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


def test_the_overview_names_every_verb() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"  {verb} " in done.stdout for verb in VERBS)


def test_the_version_is_told() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("retrieval-eval ")


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("--nonsense",)])
def test_what_is_no_verb_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
