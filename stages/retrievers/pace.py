"""When the next request may go out."""

import asyncio


class Pace:
    """At most so many requests a second for all workers together, and a pause for all when the service asks for one."""

    def __init__(self, per_second: float | None) -> None:
        self._interval = 1 / per_second if per_second else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for one's turn."""
        now = asyncio.get_running_loop().time()
        start = max(now, self._next)
        self._next = start + self._interval
        if start > now:
            await asyncio.sleep(start - now)

    def pause(self, seconds: float) -> None:
        """Let nobody start for a while."""
        self._next = max(self._next, asyncio.get_running_loop().time() + seconds)
