"""What one request over HTTP comes to."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class HttpRequest:
    """A request with everything filled in, which may hold secrets: never write or print one.

    `any_answer`: an answer which is no JSON is None, and not a failure, as a health check may say plain `ok`.
    """

    method: str
    url: str = field(repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    body: Any = field(default=None, repr=False)
    any_answer: bool = False


@dataclass(frozen=True)
class Answered:
    """An HTTP answer, whatever its status; `answer` is its JSON, None where it holds none (then not 2xx)."""

    status: int
    answer: Any
    retry_after: float | None = None
    attempts: int = 1


@dataclass(frozen=True)
class Failed:
    """No usable answer.

    Attributes:
        code: The reason code: `connection_refused`, `timeout`, `bad_answer`, ...
        reason: A sentence without its full stop; it may quote the service and is to be redacted.
        down: The service was not there, as opposed to there and wrong.
        again: Whether asking again may help.
    """

    code: str
    reason: str
    down: bool
    again: bool
    attempts: int = 1
