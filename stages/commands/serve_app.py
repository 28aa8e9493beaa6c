"""The HTTP API: its routes, and the server that runs them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from socket import socket
from typing import Any

import uvicorn
from anyio import to_thread
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException as AnyHttpError
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from stages.commands.retriever_evaluation import CHOICES
from stages.commands.serve_engines import Engines
from stages.commands.serve_work import Work
from stages.records.api import DebugRequest, Detail, EvaluateRequest, Health
from stages.records.problem import InputError
from stages.records.retrieval_debug import DebugAnswer
from stages.records.retriever_summary import RetrieverFailure, RetrieverSummaries, RetrieverSummary
from stages.storage.json_file import dump_json
from stages.storage.wording import complaint

MAX_BODY = 64 * 1024
TOO_LARGE = f"the body is larger than {MAX_BODY} bytes"
STOP_WITHIN_S = 10

Responses = dict[int | str, dict[str, Any]]

REFUSALS: Responses = {
    413: {"model": Detail, "description": f"The body is larger than {MAX_BODY} bytes"},
    422: {"model": Detail, "description": "The body is not what the request takes"},
    503: {"model": Detail, "description": "Too many requests are waiting"},
}


class Server(uvicorn.Server):
    """A server that tells the work under way when it stops."""

    def __init__(self, app: FastAPI, work: Work) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=STOP_WITHIN_S,
            )
        )
        self._work = work

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop the work, then everything else."""
        self._work.stop()
        await super().shutdown(sockets)


def make_server(engines: Engines, concurrency: int) -> Server:
    """Return a server that is not started yet; at most `concurrency` requests are worked on at once."""
    work = Work(concurrency)
    return Server(make_app(engines, work), work)


def make_app(engines: Engines, work: Work) -> FastAPI:
    """Return the application: the routes, and every refusal as `{"detail": "..."}`."""
    app = FastAPI(
        title="retrieval-eval",
        version="1",
        description=f"{len(engines.workspace.cases)} golden cases against bm25, milvus and hybrid.",
        # The pages of the framework load scripts from another host; /openapi.json needs none.
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(engines),
    )
    app.add_middleware(BodyLimit)
    routes = Routes(engines, work)
    evaluated: Responses = {200: {"model": RetrieverSummary | RetrieverFailure | RetrieverSummaries}}
    unknown: Responses = {400: {"model": Detail, "description": "There is no such retriever"}}
    followed: Responses = {200: {"model": DebugAnswer}}
    add = app.add_api_route
    add("/ai/runbooks/evaluate", routes.evaluate, methods=["POST"], responses=evaluated | unknown | REFUSALS)
    add("/ai/runbooks/retrieve/debug", routes.debug, methods=["POST"], responses=followed | REFUSALS)
    add("/ai/health", routes.health, methods=["GET"], responses={200: {"model": Health}})
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(AnyHttpError, _refused)
    app.add_exception_handler(InputError, _broken)
    return app


class BodyLimit:
    """Refuse a body that is too large, in JSON too where its length was told beforehand."""

    def __init__(self, app: ASGIApp) -> None:
        self._counted = RequestBodyLimitMiddleware(app, MAX_BODY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413."""
        told = Headers(scope=scope).get("content-length", "") if scope["type"] == "http" else ""
        too_large = told.isdigit() and int(told) > MAX_BODY
        answer = _json(Detail(detail=TOO_LARGE), 413) if too_large else self._counted
        await answer(scope, receive, send)


class Routes:
    """What each address does; the work runs in threads, so that the event loop stays free."""

    def __init__(self, engines: Engines, work: Work) -> None:
        self._engines = engines
        self._work = work

    async def evaluate(self, asked: EvaluateRequest) -> Response:
        """Evaluate a retriever over all golden cases; one that fails is an answer with `error` in it."""
        if asked.retriever not in CHOICES:
            detail = f"retriever is {asked.retriever!r}, which is none of {', '.join(CHOICES)}"
            raise HTTPException(400, detail)
        return await self._work.run(
            lambda: _json(self._engines.evaluate(asked.retriever, asked.top_k, report=asked.report))
        )

    async def debug(self, asked: DebugRequest) -> Response:
        """Follow one question through each arm, the fusion and the rules."""
        return await self._work.run(lambda: _json(self._engines.debug(asked.query, asked.top_k)))

    async def health(self) -> Response:
        """Say what can be evaluated, without asking an engine."""
        return _json(self._engines.health())


def _lifespan(engines: Engines) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await to_thread.run_sync(engines.close)

    return lifespan


def _json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return the same text that the command prints; what UTF-8 cannot hold is shown by its code."""
    text = dump_json(value).encode("utf-8", "backslashreplace")
    return Response(text, status, headers, media_type="application/json")


async def _invalid(_: Request, error: Exception) -> Response:
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    return _json(Detail(detail="; ".join(map(_fault, faults))), 422)


def _fault(fault: dict[str, Any]) -> str:
    if fault["type"] == "json_invalid":
        return f"the body is no JSON: {fault['ctx']['error']}"
    place = fault["loc"][1:]
    if not place:
        return "the body is no JSON object; send one, with Content-Type: application/json"
    return complaint({**fault, "loc": place})


async def _refused(_: Request, error: Exception) -> Response:
    known = error if isinstance(error, AnyHttpError) else AnyHttpError(500)
    detail = TOO_LARGE if known.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else known.detail
    return _json(Detail(detail=detail), known.status_code, dict(known.headers or {}))


async def _broken(_: Request, error: Exception) -> Response:
    return _json(Detail(detail=str(error)), 500)
