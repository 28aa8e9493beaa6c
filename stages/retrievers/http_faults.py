"""httpx's exceptions in this project's reason codes."""

import socket
import ssl
from collections.abc import Iterator

import httpx

from stages.records.services import Limits
from stages.retrievers.http_outcome import Failed

# httpx wraps nearly everything; an impossible port or host name comes through as it was raised.
FAULTS = (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, OverflowError, ExceptionGroup)


def failed(error: Exception, limits: Limits) -> Failed:
    """Return the failure that one of `FAULTS` stands for."""
    if isinstance(error, httpx.TimeoutException):
        return _timeout(error, limits)
    causes = tuple(_causes(error))
    for kind, code, reason, again in CAUSES:
        if any(isinstance(cause, kind) for cause in causes):
            detail = _detail(causes, kind)
            return Failed(code, f"{reason}{detail}", down=code != "bad_request", again=again)
    if isinstance(error, httpx.TransportError):
        return Failed("connection_failed", f"the connection failed: {_words(error)}", down=True, again=True)
    return Failed("bad_request", f"the request cannot be sent: {_words(causes[-1])}", down=False, again=False)


CAUSES: tuple[tuple[type[BaseException], str, str, bool], ...] = (
    (ssl.SSLCertVerificationError, "tls", "the certificate is not trusted; name its authority as tls_ca_file", False),
    (ssl.SSLError, "tls", "the TLS handshake failed", False),
    (socket.gaierror, "unknown_host", "the name of the host is unknown", True),
    (ConnectionRefusedError, "connection_refused", "nothing listens at the address", True),
    (httpx.LocalProtocolError, "bad_request", "the request cannot be sent", False),
    (httpx.UnsupportedProtocol, "bad_request", "the address has no http:// or https://", False),
    (
        httpx.RemoteProtocolError,
        "connection_broken",
        "the connection ended before the answer was whole",
        True,
    ),
    (httpx.ReadError, "connection_reset", "the service reset the connection", True),
    (httpx.WriteError, "connection_reset", "the service reset the connection", True),
    (httpx.ConnectError, "connection_failed", "no connection comes about", True),
)


def _timeout(error: httpx.TimeoutException, limits: Limits) -> Failed:
    if isinstance(error, httpx.ConnectTimeout):
        what = f"no connection within {limits.connect_seconds:g} s"
        return Failed("timeout", what, down=True, again=True)
    what = f"nothing came for {limits.read_seconds:g} s"
    return Failed("timeout", what, down=True, again=False)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Walk causes and contexts, into groups: the socket's own error lies two or three levels down."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        current = waiting.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [current.__cause__, current.__context__]
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions


def _detail(causes: tuple[BaseException, ...], kind: type[BaseException]) -> str:
    """Return what a certificate is refused for; other causes have said enough."""
    if kind is not ssl.SSLCertVerificationError:
        return ""
    reasons = [cause.verify_message for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)]
    return f" ({reasons[0]})" if reasons else ""


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__
