"""Asking one service about one case: template, network, mapping. No verb; the capture verbs share it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

from stages.core.answer_reading import keys_of
from stages.core.health_reading import Readiness, read_health
from stages.core.redaction import Redactor
from stages.core.request_template import fill_url
from stages.core.service_recording import to_recording
from stages.core.service_requests import filled_embedding, filled_health, filled_request, names_of_service
from stages.records.case import Case
from stages.records.problem import InputError, Problem
from stages.records.recording import CaseFailure, Recording
from stages.records.services import Service
from stages.retrievers.http_client import HttpClient
from stages.retrievers.http_outcome import Answered, Failed, HttpRequest

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True)
class Question:
    """Everything that is needed to ask one service."""

    service: Service
    environment: Mapping[str, str]
    redactor: Redactor
    client: HttpClient

    def recording(self, case: Case, top_k: int, answer: Answered | CaseFailure) -> Recording | CaseFailure:
        """Return what to keep of an answer, or why there is nothing; neither holds a secret."""
        if isinstance(answer, CaseFailure):
            return answer
        found = to_recording((case.id, case.query, top_k), answer.status, answer.answer, self.service, self.redactor)
        if isinstance(found, CaseFailure) and answer.attempts > 1:
            return found.model_copy(update={"reason": f"{found.reason}; asked {answer.attempts} times"})
        return found

    async def answer(self, case: Case, top_k: int) -> Answered | CaseFailure:
        """Return the HTTP answer to one case, or why there is none."""
        longest = self.service.request.max_query_chars
        if longest and len(case.query) > longest:
            reason = f"the query has {len(case.query)} characters, and the service takes {longest} (max_query_chars)"
            return CaseFailure(state="error", code="query_too_long", reason=reason)
        values: dict[str, Any] = {"query": case.query, "topK": top_k, "case_id": case.id}
        if self.service.embedding:
            vector = await self._vector(values)
            if isinstance(vector, CaseFailure):
                return vector
            values["vector"] = vector
        request = HttpRequest(**filled_request(self.service.request, values, self.environment))
        outcome = await self.client.ask(request)
        return self._failure(outcome) if isinstance(outcome, Failed) else outcome

    async def readiness(self) -> Readiness:
        """Ask the health request once; a path without one counts as ready."""
        health = self.service.health
        if health is None:
            return Readiness("ready")
        outcome = await self.client.once(HttpRequest(**filled_health(health, self.environment), any_answer=True))
        if isinstance(outcome, Failed):
            reason = self.redactor.sentence(f"the health check failed: {outcome.reason}")
            return Readiness("unavailable", outcome.code, reason)
        found = read_health(outcome.status, outcome.answer, health)
        return Readiness(found.status, found.code, self.redactor.sentence(found.reason) if found.reason else None)

    async def _vector(self, values: Mapping[str, Any]) -> list[float] | CaseFailure:
        embedding = self.service.embedding
        if embedding is None:
            raise ValueError("the service describes no embedding")
        outcome = await self.client.ask(HttpRequest(**filled_embedding(embedding, values, self.environment)))
        if isinstance(outcome, Failed):
            return self._failure(outcome, "the embedder: ")
        try:
            vector = jmespath.search(embedding.vector, outcome.answer)
        except JMESPathError:
            vector = None
        if isinstance(vector, list) and vector and all(isinstance(one, (int, float)) for one in vector):
            return vector
        reason = f"the embedder answered {outcome.status}, and `{embedding.vector}` finds no vector in "
        down = outcome.status >= 500  # noqa: PLR2004 (server errors)
        return CaseFailure(
            state="unavailable" if down else "error", code="no_vector", reason=reason + keys_of(outcome.answer)
        )

    def _failure(self, failed: Failed, who: str = "") -> CaseFailure:
        times = f"; asked {failed.attempts} times" if failed.attempts > 1 else ""
        reason = self.redactor.sentence(f"{who}{failed.reason}{times}")
        return CaseFailure(state="unavailable" if failed.down else "error", code=failed.code, reason=reason)


def open_question(file: Path, name: str, service: Service) -> Question:
    """Return the question to the service that `file` describes as `name`, with the environment's values filled in.

    Raises:
        InputError: every variable that is not set, and an authority's certificate that cannot be read.
    """
    names = sorted(names_of_service(service))
    missing = [one for one in names if not os.environ.get(one, "").strip()]
    if missing:
        raise InputError([_not_set(file, name, one) for one in missing])
    environment = {one: os.environ[one].strip() for one in names}
    proxies = {
        one: os.environ[one] for one in PROXY_VARIABLES if service.proxy_from_environment and os.environ.get(one)
    }
    ca_file = Path(fill_url(service.tls_ca_file, {}, environment)) if service.tls_ca_file else None
    try:
        client = HttpClient(service.limits, ca_file, service.proxy_from_environment)
    except OSError as error:
        what = f"services.{name}.tls_ca_file cannot be read as PEM: {error.strerror or type(error).__name__}"
        raise InputError([Problem(str(file), 0, 0, "", what, "Name a file of PEM certificates")]) from None
    return Question(service, environment, Redactor(proxies | environment, service.redact_keys), client)


def _not_set(file: Path, name: str, variable: str) -> Problem:
    what = f"services.{name} takes the environment variable {variable}, which is not set"
    return Problem(str(file), 0, 0, "", what, f"Set {variable}, or write `enabled: false`")
