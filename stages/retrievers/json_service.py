"""One JSON question to an embedder or a reranker, within the limits that every service gets."""

import asyncio
import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from stages.records.services import Limits
from stages.retrievers.failure import EngineFailure
from stages.retrievers.http_client import HttpClient
from stages.retrievers.http_outcome import Answered, Failed, HttpRequest

MAX_ANSWER_BYTES = 256 * 1024 * 1024
LONGEST_WAIT_S = 10.0
LONGEST_WORDS = 160
OK = 200


@dataclass(frozen=True)
class JsonService:
    """Where a service is and how patiently it is asked.

    Attributes:
        who: `embedder` or `reranker`; the first word of its reason codes.
        url: The whole address of the endpoint.
        api_key_env: The NAME of the environment variable with the bearer key, or None for no key.
        timeout_s: Seconds for one attempt, from connecting to the last byte.
        retries: Further attempts after a lost connection, 429 or 5xx; never when the answer is late.
        pause_s: Seconds before the first further attempt; doubled each time.
    """

    who: str
    url: str
    api_key_env: str | None = None
    timeout_s: float = 30.0
    retries: int = 2
    pause_s: float = 0.5

    def post(self, body: dict[str, Any]) -> Any:
        """Return the JSON answer to `body`; not to be called from a running event loop.

        Raises:
            EngineFailure: the code is `<who>_` and unauthorized, http_<status>, key_missing or a code of `http_faults`.
        """
        outcome = asyncio.run(self._asked(HttpRequest("POST", self.url, self._headers(), body=body)))
        if isinstance(outcome, Failed):
            raise self.failure(outcome.code, f"the {self.who} at {self._place()}: {outcome.reason}")
        if outcome.status in {401, 403}:
            raise self.failure(
                "unauthorized", f"the {self.who} at {self._place()} refused the key (HTTP {outcome.status})"
            )
        if outcome.status != OK:
            words = f"the {self.who} at {self._place()} answered HTTP {outcome.status}{_said(outcome.answer)}"
            raise self.failure(f"http_{outcome.status}", words)
        return outcome.answer

    def failure(self, kind: str, reason: str) -> EngineFailure:
        """Return a failure of this service; its key is blotted out of the reason, whoever wrote that."""
        reason = " ".join(reason.split())
        key = os.environ.get(self.api_key_env, "") if self.api_key_env else ""
        return EngineFailure(f"{self.who}_{kind}", reason.replace(key, "***") if key else reason)

    async def _asked(self, request: HttpRequest) -> Answered | Failed:
        async with HttpClient(self._limits()) as client:
            return await client.ask(request)

    def _limits(self) -> Limits:
        return Limits(
            connect_seconds=self.timeout_s,
            read_seconds=self.timeout_s,
            total_seconds=self.timeout_s,
            attempts=self.retries + 1,
            backoff_seconds=self.pause_s,
            longest_wait_seconds=LONGEST_WAIT_S,
            max_bytes=MAX_ANSWER_BYTES,
        )

    def _headers(self) -> dict[str, str]:
        if self.api_key_env is None:
            return {}
        key = os.environ.get(self.api_key_env, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            what = "is not set" if not key else "holds characters that no HTTP header may hold"
            raise self.failure("key_missing", f"the environment variable {self.api_key_env} {what}")
        return {"Authorization": f"Bearer {key}"}

    def _place(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _said(answer: Any) -> str:
    """Return the words of an error's body, in the places where services put them."""
    if isinstance(answer, dict):
        inner = next((answer[key] for key in ("error", "message", "detail") if answer.get(key)), None)
        return _said(inner)
    return f": {answer[:LONGEST_WORDS]}" if isinstance(answer, str) else ""
