"""A connection to Milvus, embedded or a server: every question within a time limit, every failure with a name."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from stages.retrievers.failure import EngineFailure
from stages.retrievers.milvus_embedded import engine_log, open_embedded, release_embedded
from stages.retrievers.milvus_server import open_server
from stages.retrievers.milvus_target import MilvusTarget

T = TypeVar("T")

COLLECTION_NOT_FOUND = 100
LONGEST_REASON = 200


@dataclass(frozen=True)
class MilvusSession:
    """An open connection; `ask` is the only way to use it."""

    target: MilvusTarget
    client: Any
    version: str

    def ask(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        """Call one method of the client within the time limit.

        Raises:
            EngineFailure: whatever the engine did instead of answering.
        """
        return _named(self.target, lambda: getattr(self.client, verb)(*args, timeout=self.target.timeout_s, **kwargs))


@contextmanager
def open_milvus(target: MilvusTarget) -> Iterator[MilvusSession]:
    """Connect; on leaving, the connection is closed and an embedded engine gives its directory free.

    Raises:
        EngineFailure: `extra_missing`, or as `open_embedded` and `open_server`.
    """
    pymilvus = _pymilvus()
    client = open_embedded(pymilvus, target) if target.embedded else open_server(pymilvus, target)
    try:
        version = _named(target, lambda: str(client.get_server_version(timeout=target.timeout_s)))
        yield MilvusSession(target, client, version)
    finally:
        client.close()
        if target.embedded:
            release_embedded(target)


def _pymilvus() -> Any:
    try:
        import pymilvus
    except ImportError:
        raise EngineFailure(
            "extra_missing", "the package pymilvus is not installed; install the extra: retrieval-eval[milvus]"
        ) from None
    # It prints a traceback for every failure; here each becomes a state with a reason.
    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
    return pymilvus


def _named(target: MilvusTarget, call: Callable[[], T]) -> T:
    import grpc
    from pymilvus import MilvusException

    try:
        with engine_log():
            return call()
    except grpc.RpcError as error:
        raise _transport_failure(target, error.code().name) from None
    except MilvusException as error:
        code = "collection_missing" if error.code == COLLECTION_NOT_FOUND else "engine_error"
        raise EngineFailure(code, f"Milvus refused: {' '.join(str(error.message).split())[:LONGEST_REASON]}") from None


def _transport_failure(target: MilvusTarget, status: str) -> EngineFailure:
    if status == "DEADLINE_EXCEEDED":
        return EngineFailure("timeout", f"Milvus did not answer within {target.timeout_s:g} s")
    if status in {"UNAUTHENTICATED", "PERMISSION_DENIED"}:
        return EngineFailure("unauthorized", "Milvus refused the token")
    return EngineFailure("connection_lost", f"the connection to Milvus broke ({status.lower()})")
