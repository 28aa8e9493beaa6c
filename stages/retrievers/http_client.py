"""Asking a service over HTTP: politely, patiently, and never without a limit."""

import asyncio
import ssl
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from stages.records.services import Limits
from stages.retrievers.http_exchange import exchange
from stages.retrievers.http_outcome import Answered, Failed, HttpRequest
from stages.retrievers.http_unpacking import PACKINGS
from stages.retrievers.pace import Pace

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500


class HttpClient:
    """One service's connections. Certificates are always verified; proxies are used only when asked for."""

    def __init__(self, limits: Limits, ca_file: Path | None = None, proxy_from_environment: bool = False) -> None:
        """Open nothing yet.

        Raises:
            OSError: `ca_file` cannot be read as PEM.
        """
        self._limits = limits
        self._pace = Pace(limits.per_second, limits.concurrency)
        self._open = partial(
            httpx.AsyncClient,
            verify=_trusting(ca_file) if ca_file else _system_trust(),
            headers={"Accept-Encoding": PACKINGS},
            trust_env=proxy_from_environment,
            timeout=httpx.Timeout(limits.read_seconds, connect=limits.connect_seconds, pool=None),
            limits=httpx.Limits(max_connections=1),
        )
        self._all: list[httpx.AsyncClient] = []
        self._free: list[httpx.AsyncClient] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._all:
            await client.aclose()

    async def once(self, request: HttpRequest) -> Answered | Failed:
        """Ask once, whatever comes: for a health check."""
        return await self._exchange(request)

    async def ask(self, request: HttpRequest) -> Answered | Failed:
        """Ask until there is an answer, at most `limits.attempts` times; the last outcome counts."""
        attempt = 1
        while True:
            await self._pace.turn()
            outcome = replace(await self._timed(request), attempts=attempt)
            wait = self._wait(outcome, attempt)
            if wait is None or attempt >= self._limits.attempts:
                return outcome
            await asyncio.sleep(wait)
            attempt += 1

    async def _timed(self, request: HttpRequest) -> Answered | Failed:
        clock = asyncio.get_running_loop().time
        started = clock()
        outcome = await self._exchange(request)
        self._pace.lasted(clock() - started)
        return outcome

    async def _exchange(self, request: HttpRequest) -> Answered | Failed:
        """Use a connection that is free, or one more: a pool of many looks at all of them for every request."""
        if not self._free:
            self._free.append(self._open())
            self._all.append(self._free[-1])
        client = self._free.pop()
        try:
            return await exchange(client, request, self._limits)
        finally:
            self._free.append(client)

    def _wait(self, outcome: Answered | Failed, attempt: int) -> float | None:
        """Return how long to wait before asking again, None where asking again is of no use."""
        backoff = min(self._limits.backoff_seconds * 2.0 ** (attempt - 1), self._limits.longest_wait_seconds)
        if isinstance(outcome, Failed):
            return backoff if outcome.again else None
        if outcome.status != TOO_MANY_REQUESTS and outcome.status < SERVER_ERROR:
            return None
        if outcome.retry_after is None:
            return backoff
        if outcome.retry_after > self._limits.longest_wait_seconds:
            return None
        self._pace.pause(outcome.retry_after)
        return outcome.retry_after


@cache
def _system_trust() -> ssl.SSLContext:
    """Return one context for all: reading the system's authorities takes longer than most requests."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def _trusting(ca_file: Path) -> ssl.SSLContext:
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    context.load_verify_locations(ca_file)
    return context
