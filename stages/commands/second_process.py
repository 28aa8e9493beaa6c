"""Work that is done beside other work, in a process of its own, where the machine has a processor to spare."""

import marshal
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def has_spare_processor() -> bool:
    """Whether a second process would have a processor to itself."""
    return hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1


@contextmanager
def beside(work: Callable[[], Any]) -> Iterator[Callable[[], Any]]:
    """Start `work` in a copy of this process, and give a function that waits for its answer.

    The answer is plain data, as `marshal` takes it. Should the process fail, the work is done again here: whatever is
    wrong is then raised where it can be told. Left early, the process is ended.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _work_and_end(work, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            yield lambda: _answer(pipe.read(), work)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _work_and_end(work: Callable[[], Any], writing: int) -> None:
    try:
        data = marshal.dumps(work())
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(data)
    finally:
        # Neither the exit handlers nor the buffers of the process this is a copy of are to run twice.
        os._exit(0)


def _answer(data: bytes, work: Callable[[], Any]) -> Any:
    return marshal.loads(data) if data else work()  # noqa: S302 (from our own process)
