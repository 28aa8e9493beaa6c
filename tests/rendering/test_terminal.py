"""What a run says, and with which code it ends, when its output has nowhere to go."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = """import sys
from stages.rendering.terminal import run_reporting
sys.exit(run_reporting(lambda: print("x" * 1_000_000)))
"""


def test_a_reader_that_goes_away_is_no_pass_and_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this machine")
def test_a_full_disk_is_one_line_and_no_failed_gate() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", RUN], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )
    said = "standard output: the operating system refused: No space left on device. Make room, or choose another place."
    assert (done.returncode, done.stderr) == (2, f"{said}\n1 problem\n")
