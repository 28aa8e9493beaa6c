"""Every benchmark starts from a checkout that is not installed, whatever the folder it is called from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted(Path(__file__).parents[2].glob("benchmarks/*.py"))
# What `python SCRIPT` does, short of what stands behind `if __name__ == "__main__"`.
START = "import sys, runpy; sys.path[0], script = sys.argv[1:]; del sys.argv[1:]; runpy.run_path(script)"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_benchmark_needs_no_python_path(script, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", START, str(script.parent), str(script)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
