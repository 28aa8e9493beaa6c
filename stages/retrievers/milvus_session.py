"""A connection to Milvus, embedded or a server: opened within a time limit, and every failure given a name."""

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from stages.retrievers.failure import EngineFailure

T = TypeVar("T")

DEFAULT_PORT = 19530
COLLECTION_NOT_FOUND = 100
LONGEST_REASON = 200
REMOTE_SCHEMES = ("http", "https", "tcp")


@dataclass(frozen=True)
class MilvusTarget:
    """Which Milvus is asked.

    Attributes:
        uri: A path that ends in `.db` (Milvus Lite, in this process) or `http://host:port` (a server or a cluster).
        token_env: The NAME of the environment variable with the token, or None for none.
        timeout_s: Seconds for each single question, connecting included.
    """

    uri: str
    token_env: str | None = None
    timeout_s: float = 10.0

    @property
    def embedded(self) -> bool:
        """Whether the engine runs in this process."""
        return urlsplit(self.uri).scheme not in REMOTE_SCHEMES


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
        EngineFailure: `extra_missing`, `token_missing`, `bad_uri`, `host_unknown`, `connection_refused`, `timeout`,
            `not_milvus`, `unauthorized`, `locked` or `cannot_open`.
    """
    token = _token(target)
    pymilvus = _pymilvus()
    client = _open_embedded(pymilvus, target) if target.embedded else _open_server(pymilvus, target, token)
    try:
        version = _named(target, lambda: str(client.get_server_version(timeout=target.timeout_s)))
        yield MilvusSession(target, client, version)
    finally:
        client.close()
        if target.embedded:
            _release_embedded(target)


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


def _token(target: MilvusTarget) -> str:
    if target.token_env is None:
        return ""
    token = os.environ.get(target.token_env, "")
    if not token:
        raise EngineFailure("token_missing", f"the environment variable {target.token_env} is not set")
    return token


def _open_server(pymilvus: Any, target: MilvusTarget, token: str) -> Any:
    host, port = _address(target)
    _knock(target, host, port)
    started = time.monotonic()
    try:
        return pymilvus.MilvusClient(uri=target.uri, token=token, timeout=target.timeout_s)
    except pymilvus.MilvusException as error:
        if "auth" in str(error.message).lower():
            raise EngineFailure("unauthorized", f"Milvus at {host}:{port} refused the token") from None
        if time.monotonic() - started >= target.timeout_s:
            reason = f"{host}:{port} accepts connections but did not answer within {target.timeout_s:g} s"
            raise EngineFailure("timeout", reason) from None
        raise EngineFailure("not_milvus", f"{host}:{port} accepts connections but does not answer as Milvus") from None


def _address(target: MilvusTarget) -> tuple[str, int]:
    parts = urlsplit(target.uri)
    try:
        port = parts.port or (443 if parts.scheme == "https" else DEFAULT_PORT)
    except ValueError:
        port = 0
    if not parts.hostname or not port or parts.username is not None:
        raise EngineFailure("bad_uri", "milvus.uri is no http://host:port; a token goes by milvus.token_env")
    return parts.hostname, port


def _knock(target: MilvusTarget, host: str, port: int) -> None:
    """Open and close a plain connection: the client itself reports every way of being down in the same words."""
    try:
        socket.create_connection((host, port), timeout=target.timeout_s).close()
    except socket.gaierror:
        raise EngineFailure("host_unknown", f"the host {host} of milvus.uri has no address") from None
    except TimeoutError:
        raise EngineFailure(
            "timeout", f"{host}:{port} did not accept a connection within {target.timeout_s:g} s"
        ) from None
    except OSError as error:
        reason = f"no Milvus at {host}:{port}: {error.strerror or type(error).__name__}"
        raise EngineFailure("connection_refused", reason) from None


def _open_embedded(pymilvus: Any, target: MilvusTarget) -> Any:
    if not target.uri.endswith(".db"):
        raise EngineFailure(
            "bad_uri", f"milvus.uri is {target.uri!r}: neither http://host:port nor a path ending in .db"
        )
    if find_spec("milvus_lite") is None:
        raise EngineFailure(
            "extra_missing", "the package milvus-lite is not installed; install the extra: retrieval-eval[milvus]"
        )
    Path(target.uri).parent.mkdir(parents=True, exist_ok=True)
    with _engine_log() as log:
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
def _engine_log() -> Iterator[list[BaseException]]:
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


def _release_embedded(target: MilvusTarget) -> None:
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(target.uri)


def _named(target: MilvusTarget, call: Callable[[], T]) -> T:
    import grpc
    from pymilvus import MilvusException

    try:
        with _engine_log():
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
