"""One attempt: a request out, an answer or a failure back."""

import asyncio

import httpx

from stages.records.services import Limits
from stages.retrievers.http_body import BodyError, read_body, to_json
from stages.retrievers.http_faults import FAULTS, failed
from stages.retrievers.http_headers import header_fault
from stages.retrievers.http_outcome import Answered, Failed, HttpRequest
from stages.retrievers.retry_after import seconds_to_wait

MOST_REDIRECTS = 3
KEEP_METHOD = {307, 308}


async def exchange(client: httpx.AsyncClient, request: HttpRequest, limits: Limits) -> Answered | Failed:
    """Send one request; every fault of the network and of the answer comes back as a `Failed`."""
    fault = header_fault(request.headers)
    if fault:
        return Failed("bad_request", f"the request cannot be sent: {fault}", down=False, again=False)
    try:
        async with asyncio.timeout(limits.total_seconds):
            return await _follow(client, request, limits)
    except TimeoutError:
        what = f"the answer was not whole after {limits.total_seconds:g} s"
        return Failed("timeout", what, down=True, again=False)
    except BodyError as error:
        return Failed(error.code, str(error), down=False, again=False)
    except FAULTS as error:
        return failed(error, limits)


async def _follow(client: httpx.AsyncClient, request: HttpRequest, limits: Limits) -> Answered | Failed:
    """Follow redirects within one origin, and no others: credentials and queries do not leave the host."""
    outgoing = client.build_request(request.method, request.url, headers=request.headers, json=request.body)
    for _ in range(MOST_REDIRECTS + 1):
        response = await client.send(outgoing, stream=True)
        try:
            following = response.next_request
            if following is None:
                return await _answered(response, limits, request.any_answer)
        finally:
            await response.aclose()
        if _origin(following.url) != _origin(outgoing.url):
            return _redirect(f"the service redirects ({response.status_code}) to another host, which is not followed")
        if response.status_code not in KEEP_METHOD and outgoing.method != "GET":
            return _redirect(f"the service redirects ({response.status_code}) in a way that drops the request's body")
        outgoing = following
    return _redirect(f"the service redirects more than {MOST_REDIRECTS} times")


def _redirect(reason: str) -> Failed:
    return Failed("redirect", reason, down=False, again=False)


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


async def _answered(response: httpx.Response, limits: Limits, any_answer: bool) -> Answered:
    """Read the answer; an error's body need not be JSON, a success's must unless any answer will do."""
    wait = seconds_to_wait(response.headers.get("Retry-After"))
    body = await read_body(response, limits.max_bytes)
    try:
        answer = to_json(response.headers.get("Content-Type"), body)
    except BodyError:
        if response.is_success and not any_answer:
            raise
        answer = None
    return Answered(response.status_code, answer, wait)
