"""What every text of `services.yaml` that is to be sent must keep to: no secret in it, no broken placeholder.

Held against the plain data and not the model, so that each fault is told whatever else is wrong beside it.
"""

from collections.abc import Iterator
from typing import Any

from stages.records.plain_secret import BROKEN, has_login, secret_parameters, texts, under_secret_name
from stages.records.problem import Problem
from stages.storage.wording import cut, field_name
from stages.storage.yaml_file import Location, YamlDocument

SECTIONS = {"request", "embedding", "health"}
SENT = {"url", "headers", "params", "body"}
REMEDY = "Write ${NAME} and set the variable NAME when you capture"
PLACEHOLDER = (
    "Write ${NAME}, of letters, digits and _; for a literal ${ set a variable DOLLAR to $ and write ${DOLLAR}{"
)
LOGIN = "an address holds no user name or password; a header may, as ${NAME}"


def text_problems(document: YamlDocument, data: Any) -> list[Problem]:
    """Return every secret in plain text, none of them repeated, and every `${` that names no variable."""
    services = data.get("services") if isinstance(data, dict) else None
    return [
        Problem(document.file, *document.place(location), "", f"{field_name(location)}{words}", remedy)
        for name, service in (services.items() if isinstance(services, dict) else ())
        for key, section in (service.items() if isinstance(service, dict) else ())
        for at, value in texts(section)
        if key == "tls_ca_file" or (key in SECTIONS and at and at[0] in SENT)
        for location in [("services", name, key, *at)]
        for words, remedy in _faults(location, value)
    ]


def holds_secret(location: Location, value: Any) -> bool:
    """Say whether a value must not be repeated in a message."""
    return any(
        under_secret_name((*location, *at)) or has_login(str(text)) or bool(secret_parameters(str(text)))
        for at, text in texts(value)
    )


def _faults(location: Location, value: Any) -> Iterator[tuple[str, str]]:
    text = str(value)
    if under_secret_name(location) and text and "${" not in text and not _misread(location, value):
        yield " holds a secret in plain text; name an environment variable", REMEDY
    if location[3:] == ("url",):
        if has_login(text):
            yield f": {LOGIN}", REMEDY
        for name in secret_parameters(text):
            yield f": its parameter {name} holds a secret in plain text; name an environment variable", REMEDY
    for broken in BROKEN.finditer(text):
        written = "a ${" if holds_secret(location, value) else f"{cut(broken[0])!r}"
        yield f" holds {written}, which is no placeholder", PLACEHOLDER


def _misread(location: Location, value: Any) -> bool:
    """Say whether a header is a number: that is told as a wrong type already, and hides it as well."""
    return "headers" in location[3:4] and not isinstance(value, str)
