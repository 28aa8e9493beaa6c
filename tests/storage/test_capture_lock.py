"""One capture of a folder at a time; the lock goes with its process, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stages.records.problem import InputError
from stages.storage.capture_lock import capture_lock

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from pathlib import Path
from stages.storage.capture_lock import capture_lock
with capture_lock(Path(sys.argv[1]), "sidecar"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process which holds the lock of `sidecar` until it is told to go on, or is killed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOLD, str(tmp_path / "sidecar")]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def refused(folder):
    with pytest.raises(InputError) as raised, capture_lock(folder, "sidecar"):
        pass
    return str(raised.value)


def test_the_second_is_refused_and_told_who_is_first(tmp_path, holder):
    folder = tmp_path / "sidecar"
    assert refused(folder) == (
        f"{folder}: another capture of sidecar is running (process {holder.pid}), and one at a time may write here. "
        "Wait until it has ended, or end it."
    )
    assert refused(tmp_path / "other" / ".." / "sidecar").endswith("Wait until it has ended, or end it.")


def test_being_refused_takes_nothing_from_the_first(tmp_path, holder):
    refused(tmp_path / "sidecar")
    assert str(holder.pid) in refused(tmp_path / "sidecar")


def test_another_folder_is_free(tmp_path, holder):
    del holder
    with capture_lock(tmp_path / "current", "current"):
        pass


def test_a_killed_process_locks_nothing(tmp_path, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with capture_lock(tmp_path / "sidecar", "sidecar"):
        assert str(os.getpid()) in refused(tmp_path / "sidecar")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_behind_also_after_a_failure(tmp_path):
    with pytest.raises(ZeroDivisionError), capture_lock(tmp_path / "sidecar", "sidecar"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


MANY = """
import os, sys
from pathlib import Path
from stages.records.problem import InputError
from stages.storage.capture_lock import capture_lock
folder, entered = Path(sys.argv[1]), 0
for _ in range(300):
    try:
        with capture_lock(folder, "sidecar"):
            os.close(os.open(folder.parent / "inside", os.O_CREAT | os.O_EXCL))
            entered += 1
            (folder.parent / "inside").unlink()
    except InputError:
        pass
print(entered)
"""


def test_of_many_at_once_one_at_a_time_is_inside(tmp_path):
    """The file of the lock is removed at each end: whoever had opened it before must not take that for the lock."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", MANY, str(tmp_path / "sidecar")]
    several = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(3)]
    entered = [int(process.communicate(timeout=60)[0] or 0) for process in several]
    assert [process.returncode for process in several] == [0, 0, 0]
    assert any(entered)
    assert list(tmp_path.iterdir()) == []
