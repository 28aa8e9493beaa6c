"""Work of requests in threads, so many at once and no more, and an end to it when the server stops."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import HTTPException

T = TypeVar("T")

MAX_WAITING = 64
# So long may work go on after the server was told to stop.
GRACE_S = 3.0


class Work:
    """At most `concurrency` jobs at once, each in a thread of its own; MAX_WAITING more may wait."""

    def __init__(self, concurrency: int) -> None:
        self._limiter = CapacityLimiter(concurrency)
        self._room = concurrency + MAX_WAITING
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Let what is under way finish within GRACE_S, and refuse the rest."""
        self._stopping.set()

    async def run(self, job: Callable[[], T]) -> T:
        """Return what `job` returns, without holding up the event loop.

        Raises:
            HTTPException: 503, since too many are waiting or the server stops.
        """
        if not self._room:
            raise HTTPException(503, f"{MAX_WAITING} requests are waiting already", {"Retry-After": "1"})
        self._room -= 1
        # A thread cannot be stopped: when its time is over it is left behind, and nobody waits for its answer.
        result = asyncio.ensure_future(to_thread.run_sync(job, limiter=self._limiter, abandon_on_cancel=True))
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({result, stop}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({result}, timeout=GRACE_S)
            if not result.done():
                raise HTTPException(503, "the server is stopping")
            return result.result()
        finally:
            self._room += 1
            stop.cancel()
            result.cancel()
