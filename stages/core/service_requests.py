"""The requests of a service with everything filled in, as plain values."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from stages.core.request_template import environment_names, fill, fill_header, fill_url
from stages.records.services import Embedding, Health, Request, Service

Filled = dict[str, Any]


def filled_request(request: Request, values: Mapping[str, Any], environment: Mapping[str, str]) -> Filled:
    """Return method, url, headers and body of one request; the address holds its own query string, then `params`."""
    return {
        "method": request.method,
        "url": _with_params(fill_url(request.url, values, environment), fill(request.params, values, environment)),
        "headers": _headers(request.headers, values, environment),
        "body": fill(request.body, values, environment),
    }


def filled_embedding(embedding: Embedding, values: Mapping[str, Any], environment: Mapping[str, str]) -> Filled:
    """Return the request that turns a query into a vector."""
    return {
        "method": "POST",
        "url": fill_url(embedding.url, values, environment),
        "headers": _headers(embedding.headers, values, environment),
        "body": fill(embedding.body, values, environment),
    }


def filled_health(health: Health, environment: Mapping[str, str]) -> Filled:
    """Return the health request."""
    return {
        "method": "GET",
        "url": fill_url(health.url, {}, environment),
        "headers": _headers(health.headers, {}, environment),
    }


def names_of_service(service: Service) -> set[str]:
    """Return the names of the environment variables that asking a service takes."""
    parts = (service.request, service.embedding, service.health)
    names = set().union(*(environment_names(part.model_dump(mode="json")) for part in parts if part))
    return names | environment_names(service.tls_ca_file)


def _with_params(url: str, params: Mapping[str, Any]) -> str:
    """Return the address with `params` after whatever its query string holds already, in the order written."""
    if not params:
        return url
    pairs = [(name, _written(part)) for name, value in params.items() for part in _parts(value)]
    address, mark, fragment = url.partition("#")
    start, asks, query = address.partition("?")
    return f"{start}?{'&'.join(filter(None, (query.strip('&') if asks else '', urlencode(pairs))))}{mark}{fragment}"


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _headers(headers: Mapping[str, str], values: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    return {name: fill_header(text, values, environment) for name, text in headers.items()}
