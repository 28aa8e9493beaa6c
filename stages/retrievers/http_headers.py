"""What a header may hold, said before a request is sent: the library names neither the header nor a remedy."""

import re
from collections.abc import Mapping

# RFC 9110, section 5.6.2 (token); of values only what every server takes, so nothing beyond ASCII.
NAME = re.compile(r"[-!#$%&'*+.^_`|~0-9A-Za-z]+")


def header_fault(headers: Mapping[str, str]) -> str | None:
    """Return what keeps the headers from being sent and what to do, None where nothing does.

    Every faulty header is named; no value is told, since it may be a secret.
    """
    faults = [f"the header {name!r} {fault}" for name, value in headers.items() if (fault := _fault(name, value))]
    return "; ".join(faults) or None


def _fault(name: str, value: str) -> str | None:
    if not NAME.fullmatch(name):
        return "has a name that no header may have; write letters, digits and hyphens"
    if "\r" in value or "\n" in value:
        return "holds a line break; take it out of the value, or of the variable that it comes from"
    if not value.isascii():
        return "holds letters beyond ASCII; write them percent-encoded, or correct the variable that it comes from"
    if not value.replace("\t", "").isprintable():
        return "holds a control character; take it out of the value, or of the variable that it comes from"
    if value != value.strip(" \t"):
        return "begins or ends with a space; take it away, and look whether something is missing there"
    return None
