"""Milvus for a server of many requests: opened when first asked, kept open, one question at a time."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

from stages.commands.engine_answers import Answers
from stages.records.case import Case
from stages.records.recording import PathState, Recording
from stages.retrievers.failure import EngineFailure

# After a failure Milvus is left alone for so long: a silent port would hold up every request in turn.
PAUSE_S = 5.0
CLOSE_WITHIN_S = 1.0


class KeptMilvus:
    """Milvus behind a lock, since Milvus Lite and the bundled embedder are made for one caller at a time."""

    def __init__(self, opener: Callable[[], AbstractContextManager[Answers]]) -> None:
        """Remember how to open Milvus; nothing is opened yet."""
        self._opener = opener
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._answers: Answers | None = None
        self._failure: EngineFailure | None = None
        self._again_at = 0.0
        self._closed = threading.Event()

    @property
    def state(self) -> PathState:
        """How Milvus did when it was last asked."""
        failure = self._failure
        if failure is not None:
            return PathState(path="milvus", status="unavailable", code=failure.code, reason=failure.reason)
        if self._answers is None:
            return PathState(path="milvus", status="unavailable", code="not_asked", reason="milvus was not asked yet")
        return PathState(path="milvus", status="ready")

    def answer(self, case: Case) -> Recording:
        """Ask one question; may be called from any thread.

        Raises:
            EngineFailure: Milvus or the embedder could not answer; the connection is opened anew next time.
        """
        with self._lock:
            self._refuse_early()
            try:
                if self._answers is None:
                    self._answers = self._stack.enter_context(self._opener())
                recording = self._answers.answer(case)
            except EngineFailure as failure:
                self._failure, self._again_at = failure, time.monotonic() + PAUSE_S
                self._drop()
                raise
            self._failure = None
            return recording

    def close(self) -> None:
        """Close the connection and answer nothing more; a question that is not answered soon is left alone."""
        self._closed.set()
        if self._lock.acquire(timeout=CLOSE_WITHIN_S):
            self._drop()
            self._lock.release()

    def _refuse_early(self) -> None:
        if self._closed.is_set():
            raise EngineFailure("stopped", "the server is stopping")
        if self._failure is not None and time.monotonic() < self._again_at:
            raise EngineFailure(self._failure.code, self._failure.reason)

    def _drop(self) -> None:
        self._answers = None
        self._stack.close()
