"""The command line as a user calls it: a program of its own, in a folder of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cli(tmp_path):
    """Run `retrieval-eval ...` in the temporary folder; returns the finished process."""

    def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "stages", *arguments]
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
            **options,
        )

    return run
