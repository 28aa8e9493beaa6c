"""Secrets in plain text, and broken placeholders, in what is to be sent to a service."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_plus

from stages.records.secret_name import is_secret_name

Location = tuple[str | int, ...]

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
BROKEN = re.compile(rf"\$\{{(?!{NAME}\}})[^}}\s]*\}}?")
LOGIN = "//[^/?#]*@"
PARAMETER = re.compile("[?&;#]([^=&;#?]*)=([^&;#]*)")


def texts(value: Any, at: Location = ()) -> Iterator[tuple[Location, Any]]:
    """Yield every text and number in plain data with its location."""
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts(item, (*at, key))
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield at, value


def under_secret_name(location: Location) -> bool:
    """Say whether the nearest name of a location is that of a secret; the items of a list have the list's."""
    names = [part for part in location if isinstance(part, str)]
    return bool(names) and is_secret_name(names[-1])


def secret_parameters(url: str) -> list[str]:
    """Return the names of the parameters of an address whose values are secrets in plain text."""
    found = [(unquote_plus(match[1]), match[2]) for match in PARAMETER.finditer(url)]
    return [name for name, value in found if value and "${" not in value and is_secret_name(name)]


def has_login(url: str) -> bool:
    """Say whether an address holds a user name or a password."""
    return re.search(LOGIN, url) is not None
