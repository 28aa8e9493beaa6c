"""The body of an answer: bounded, and strict JSON."""

import json
import math
import re
import zlib
from functools import reduce
from typing import Any

import httpx

from stages.retrievers.http_unpacking import unpackers_of

MAX_DEPTH = 100


class BodyError(Exception):
    """A body which is of no use; `code` is the reason code."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)


async def read_body(response: httpx.Response, max_bytes: int) -> bytes:
    """Return the unpacked body.

    Raises:
        BodyError: it is larger than `max_bytes`, or cannot be unpacked. Unpacking stops one byte beyond the limit, so
            a packed bomb costs no more than an honest answer of that size.
    """
    unpackers = unpackers_of(response.headers.get("Content-Encoding", ""), max_bytes + 1)
    body = bytearray()
    try:
        async for piece in response.aiter_raw():
            body += reduce(lambda packed, unpacker: unpacker.unpack(packed), unpackers, piece)
            if len(body) > max_bytes or any(unpacker.left <= 0 for unpacker in unpackers):
                raise BodyError("too_large", f"the answer is larger than {max_bytes} bytes (max_bytes)")
    except zlib.error:
        raise BodyError("bad_answer", "the answer is packed in a way that cannot be unpacked") from None
    return bytes(body)


def to_json(content_type: str | None, body: bytes) -> Any:
    """Return the JSON of a body.

    Raises:
        BodyError: the content type is not JSON's, or the text is no finite, sanely nested JSON.
    """
    kind = (content_type or "application/json").split(";")[0].strip().lower()
    if kind not in {"application/json", "text/json"} and not kind.endswith("+json"):
        raise BodyError("wrong_content_type", f"the answer is {kind}{_title(body)}, not JSON")
    if not body.strip():
        raise BodyError("bad_answer", "the answer is empty")
    try:
        return _sound(json.loads(_decoded(content_type, body), parse_constant=_refuse, parse_float=_finite))
    except RecursionError:
        raise BodyError("bad_answer", "the JSON of the answer is nested too deeply") from None
    except (ValueError, LookupError) as error:
        raise BodyError("bad_answer", f"the answer is no JSON: {error}") from None


def _decoded(content_type: str | None, body: bytes) -> str:
    charset = re.search(r"charset=\"?([\w-]+)", content_type or "", re.IGNORECASE)
    return body.decode(charset[1] if charset else json.detect_encoding(body))


def _title(body: bytes) -> str:
    title = re.search(rb"<title[^>]*>(.*?)</title>", body[:100_000], re.IGNORECASE | re.DOTALL)
    return f" ({' '.join(title[1].decode(errors='replace').split())})" if title else ""


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is beyond every number")
    return number


def _sound(value: Any, depth: int = 0) -> Any:
    """Return the value with lone surrogates replaced, which no UTF-8 file can hold."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_sound(key): _sound(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_sound(item, depth + 1) for item in value]
    return value
