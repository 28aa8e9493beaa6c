"""Taking secrets out of everything that is written or printed."""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from stages.records.secret_name import is_secret_name

SHORTEST = 4
LONGEST_SENTENCE = 500
LONGEST_SCHEME = len("Digest")
HIDDEN = "[redacted]"
OPEN_HOSTS = {"localhost", "127.0.0.1", "::1"}


class Redactor:
    """Replaces the values of environment variables by `${NAME}`, however they are spelled, and hides secret keys."""

    def __init__(self, environment: Mapping[str, str], keys: tuple[str, ...] = ()) -> None:
        """Take the variables in use; values of fewer than 4 letters hide nothing and are left alone.

        Args:
            environment: Name to value.
            keys: Further keys of answers whose values are hidden, in any case.
        """
        spellings = {text: name for name, value in environment.items() for text in _spellings(value)}
        self._names = {text: f"${{{spellings[text]}}}" for text in spellings}
        longest_first = sorted(self._names, key=lambda text: (-len(text), text))
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._keys = {key.lower() for key in keys}

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        return self._pattern.sub(lambda match: self._names[match[0]], text) if self._pattern else text

    def sentence(self, text: str) -> str:
        """Return a reason without secrets, on one line, and only then cut: half a secret is one too."""
        words = " ".join(self.text(text).split())
        return words if len(words) <= LONGEST_SENTENCE else words[: LONGEST_SENTENCE - 1] + "…"

    def value(self, value: Any) -> Any:
        """Return plain data without secrets: in texts, in keys, and whole under a key that names a secret."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._under(str(key), item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        if isinstance(value, int) and not isinstance(value, bool):
            return value if self.text(str(value)) == str(value) else self.text(str(value))
        return value

    def _under(self, key: str, value: Any) -> Any:
        hidden = key.lower() in self._keys or (is_secret_name(key) and isinstance(value, str) and "${" not in value)
        return HIDDEN if hidden else self.value(value)


def _spellings(value: str) -> set[str]:
    """Return a value as it may turn up in an address, in JSON, in an error message or in basic authentication."""
    words = {word for word in value.split() if len(word) > LONGEST_SCHEME}
    parts = {value} | words | _address_parts(value)
    spelled = set()
    for part in parts:
        ascii_json = json.dumps(part)[1:-1]
        spelled |= {part, quote(part), quote(part, safe=""), quote_plus(part), ascii_json, repr(part)[1:-1]}
        spelled |= {b64encode(part.encode()).decode(), json.dumps(part, ensure_ascii=False)[1:-1]}
    return {text for text in spelled if len(text) >= SHORTEST}


def _address_parts(value: str) -> set[str]:
    if "://" not in value:
        return set()
    try:
        address = urlsplit(value)
        parts = {address.hostname, address.username, address.password, address.netloc} - {None, ""}
    except ValueError:
        return set()
    return {part for part in parts if part and part not in OPEN_HOSTS}
