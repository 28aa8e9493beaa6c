"""Milvus Lite: the engine in this process, over a directory that one process at a time may open."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stages.retrievers.failure import EngineFailure
from stages.retrievers.milvus_target import MilvusTarget


def open_embedded(pymilvus: Any, target: MilvusTarget) -> Any:
    """Return a client of the embedded engine, which is started.

    Raises:
        EngineFailure: `bad_uri`, `extra_missing`, `locked` or `cannot_open`.
    """
    if not target.uri.endswith(".db"):
        raise EngineFailure(
            "bad_uri", f"milvus.uri is {target.uri!r}: neither http://host:port nor a path ending in .db"
        )
    if find_spec("milvus_lite") is None:
        raise EngineFailure(
            "extra_missing", "the package milvus-lite is not installed; install the extra: retrieval-eval[milvus]"
        )
    Path(target.uri).parent.mkdir(parents=True, exist_ok=True)
    with engine_log() as log:
        try:
            return pymilvus.MilvusClient(uri=target.uri, timeout=target.timeout_s)
        except pymilvus.MilvusException:
            raise _embedded_failure(target, log) from None


def _embedded_failure(target: MilvusTarget, log: list[BaseException]) -> EngineFailure:
    kinds = {type(error).__name__ for error in log}
    if "DataDirLockedError" in kinds:
        return EngineFailure("locked", f"another process has {target.uri} open; Milvus Lite takes one at a time")
    return EngineFailure(
        "cannot_open", f"{target.uri} cannot be opened as a Milvus Lite directory ({', '.join(sorted(kinds)) or '?'})"
    )


@contextmanager
def engine_log() -> Iterator[list[BaseException]]:
    """Collect the exceptions which Milvus Lite only logs: the real reason stands nowhere else."""
    caught: list[BaseException] = []
    logger = logging.getLogger("milvus_lite")
    handler = _Collector(caught)
    propagated = logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield caught
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagated


class _Collector(logging.Handler):
    def __init__(self, caught: list[BaseException]) -> None:
        super().__init__()
        self._caught = caught

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self._caught.append(record.exc_info[1])


def release_embedded(target: MilvusTarget) -> None:
    """Stop the engine and give its directory free."""
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(target.uri)
