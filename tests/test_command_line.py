"""The command line as a whole: its overview, its version, and a verb that there is not."""

import subprocess
import sys
from pathlib import Path

import pytest

from stages.__main__ import VERBS, main

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stages", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


def test_the_overview_names_every_verb() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"  {verb} " in done.stdout for verb in VERBS)


def test_the_overview_says_what_exit_codes_mean() -> None:
    assert (
        "\nExit codes: 0 done, or passed; 1 not passed; 2 bad input or usage; 3 inconclusive;" in run("--help").stdout
    )


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_its_exit_codes_mean(verb: str, capsys, monkeypatch) -> None:
    monkeypatch.setattr(sys, "argv", ["retrieval-eval", verb, "--help"])
    with pytest.raises(SystemExit):
        main()
    words = " ".join(capsys.readouterr().out.partition("\nExit codes: 0 ")[2].split())
    codes = words.partition(".")[0]
    assert "; 2 " in codes
    assert "bad input or usage" in codes


def test_the_version_is_told() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("retrieval-eval ")


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("--nonsense",)])
def test_what_is_no_verb_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
