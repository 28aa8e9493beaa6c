"""When the next request may go out."""

import asyncio
from collections import deque

# What an answer is taken to last until one has come.
FIRST_GUESS_SECONDS = 0.05
# Answers that are looked back on: enough for a slow spell to pass, few enough to forget one.
RECENT = 64
# Of the distance that would keep every place busy all the time: closer, so that spreading never slows a capture down.
SPREAD = 0.9


class Pace:
    """At most so many requests a second for all workers together, evenly spread, and a pause when one is asked for.

    Requests that go out in one burst come back in one burst; all of it is then read in turns, so that all are late and
    go out together again, for good. A service is asked more politely one request after another, and answers sooner.
    """

    def __init__(self, per_second: float | None, concurrency: int) -> None:
        self._least = 1 / per_second if per_second else 0.0
        self._places = concurrency
        self._lasted = deque([FIRST_GUESS_SECONDS], maxlen=RECENT)
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for one's turn."""
        now = asyncio.get_running_loop().time()
        start = max(now, self._next)
        self._next = start + self.distance()
        if start > now:
            await asyncio.sleep(start - now)

    def distance(self) -> float:
        """Return the seconds from one start to the next: after the quickest of the recent answers, or as limited."""
        return max(self._least, SPREAD * min(self._lasted) / self._places)

    def lasted(self, seconds: float) -> None:
        """Take note of how long one request took."""
        self._lasted.append(seconds)

    def pause(self, seconds: float) -> None:
        """Let nobody start for a while."""
        self._next = max(self._next, asyncio.get_running_loop().time() + seconds)
