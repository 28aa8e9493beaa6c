"""Connecting to a Milvus server or cluster, with a name for each way of not being there."""

import socket
import time
from typing import Any
from urllib.parse import urlsplit

from stages.retrievers.failure import EngineFailure
from stages.retrievers.milvus_refusal import refusal
from stages.retrievers.milvus_target import MilvusTarget

DEFAULT_PORT = 19530


def open_server(pymilvus: Any, target: MilvusTarget) -> Any:
    """Return a client of the server.

    Raises:
        EngineFailure: `token_missing`, `bad_uri`, `host_unknown`, `connection_refused`, `timeout`, `not_milvus` or
            `unauthorized`.
    """
    token = target.token()
    host, port = _address(target)
    _knock(target, host, port)
    started = time.monotonic()
    try:
        # Dedicated: a shared connection outlives its client, and would answer for whatever stands at the address later.
        return pymilvus.MilvusClient(uri=target.uri, token=token, timeout=target.timeout_s, dedicated=True)
    except pymilvus.MilvusException:
        place = f"{host}:{port}"
        if time.monotonic() - started >= target.timeout_s:
            reason = f"{place} accepts connections but did not answer within {target.timeout_s:g} s"
            raise EngineFailure("timeout", reason) from None
        raise refusal(target.uri, place, token, target.timeout_s) from None


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
