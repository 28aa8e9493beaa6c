"""One JSON question to an HTTP service: bounded in time and size, retried only where that can help."""

import json
import os
import time
from dataclasses import dataclass, field
from typing import Any

import httpx

from stages.retrievers.failure import EngineFailure

MAX_ANSWER_BYTES = 256 * 1024 * 1024
LONGEST_PAUSE_S = 10.0
LONGEST_EXCERPT = 160
TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500


@dataclass(frozen=True)
class JsonService:
    """Where a service is and how patiently it is asked.

    Attributes:
        who: `embedder` or `reranker`; the first word of its reason codes.
        url: The whole address of the endpoint.
        api_key_env: The NAME of the environment variable with the bearer key, or None for no key.
        timeout_s: Seconds for one attempt, from connecting to the last byte.
        retries: Further attempts after a lost connection, 429 or 5xx; never after a time-out.
        pause_s: Seconds before the first further attempt; doubled each time.
    """

    who: str
    url: str
    api_key_env: str | None = None
    timeout_s: float = 30.0
    retries: int = 2
    pause_s: float = field(default=0.5, repr=False)

    def post(self, body: dict[str, Any]) -> Any:
        """Return the JSON answer to `body`.

        Raises:
            EngineFailure: the code is `<who>_` and one of connection_refused, connection_lost, timeout, unauthorized,
                http_<status>, bad_json, bad_url, too_large, key_missing.
        """
        headers = self._headers()
        attempt = 0
        while True:
            try:
                return self._attempt(body, headers)
            except _PassingError as passing:
                if attempt == self.retries:
                    raise passing.failure from None
                pause = passing.retry_after_s or self.pause_s * 2**attempt
            time.sleep(min(pause, LONGEST_PAUSE_S))
            attempt += 1

    def failure(self, kind: str, reason: str) -> EngineFailure:
        """Return a failure of this service; its key is blotted out of the reason, whoever wrote that."""
        key = os.environ.get(self.api_key_env, "") if self.api_key_env else ""
        return EngineFailure(f"{self.who}_{kind}", reason.replace(key, "***") if key else reason)

    def _headers(self) -> dict[str, str]:
        if self.api_key_env is None:
            return {}
        key = os.environ.get(self.api_key_env, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            what = "is not set" if not key else "holds characters that no HTTP header may hold"
            raise self.failure("key_missing", f"the environment variable {self.api_key_env} {what}")
        return {"Authorization": f"Bearer {key}"}

    def _attempt(self, body: dict[str, Any], headers: dict[str, str]) -> Any:
        try:
            status, retry_after, content = self._exchange(body, headers)
        except httpx.TimeoutException:
            raise self.failure(
                "timeout", f"the {self.who} at {self._place()} did not answer within {self.timeout_s:g} s"
            ) from None
        except (httpx.UnsupportedProtocol, httpx.InvalidURL):
            raise self.failure("bad_url", f"the {self.who}'s address is no http or https URL") from None
        except httpx.ConnectError as error:
            raise _PassingError(
                self.failure("connection_refused", f"the {self.who} at {self._place()} cannot be reached: {error}")
            ) from None
        except httpx.TransportError as error:
            what = f"the {self.who} at {self._place()} broke off: {error or type(error).__name__}"
            raise _PassingError(self.failure("connection_lost", what)) from None
        return self._read(status, retry_after, content)

    def _exchange(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, str | None, bytes]:
        deadline = time.monotonic() + self.timeout_s
        content = bytearray()
        with (
            httpx.Client(timeout=self.timeout_s) as client,
            client.stream("POST", self.url, json=body, headers=headers) as answer,
        ):
            for piece in answer.iter_bytes():
                content += piece
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the answer trickles")
                if len(content) > MAX_ANSWER_BYTES:
                    raise self.failure("too_large", f"the {self.who}'s answer exceeds {MAX_ANSWER_BYTES} bytes")
            return answer.status_code, answer.headers.get("retry-after"), bytes(content)

    def _read(self, status: int, retry_after: str | None, content: bytes) -> Any:
        if status in {401, 403}:
            raise self.failure("unauthorized", f"the {self.who} at {self._place()} refused the key (HTTP {status})")
        if status != httpx.codes.OK:
            reason = f"the {self.who} at {self._place()} answered HTTP {status}{_excerpt(content)}"
            failure = self.failure(f"http_{status}", reason)
            if status == TOO_MANY_REQUESTS or status >= SERVER_ERROR:
                raise _PassingError(failure, _seconds(retry_after))
            raise failure
        try:
            return json.loads(content)
        except ValueError:
            raise self.failure("bad_json", f"the {self.who} at {self._place()} answered no JSON") from None

    def _place(self) -> str:
        url = httpx.URL(self.url)
        return f"{url.scheme}://{url.netloc.decode()}{url.path}"


class _PassingError(Exception):
    """A failure that may be over at the next attempt."""

    def __init__(self, failure: EngineFailure, retry_after_s: float | None = None) -> None:
        self.failure = failure
        self.retry_after_s = retry_after_s
        super().__init__(str(failure))


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None


def _excerpt(content: bytes) -> str:
    text = " ".join(content[: 4 * LONGEST_EXCERPT].decode("utf-8", errors="replace").split())
    return f": {text[:LONGEST_EXCERPT]}" if text else ""
