"""Taking secrets out of everything that is written or printed."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from stages.core.secret_spelling import spellings
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
        names = {part: name for name, value in environment.items() for part in _parts(value)}
        longest_first = sorted(names, key=lambda part: (-len(part), part))
        found = [(pattern, names[part]) for part in longest_first for pattern in spellings(part)]
        self._names = [name for _, name in found]
        # An empty group at the end of each tells which it was; one around it would hide the letter it begins with.
        self._pattern = re.compile("|".join(f"{pattern}()" for pattern, _ in found)) if found else None
        self._keys = {key.lower() for key in keys}

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        return self._pattern.sub(self._named, text) if self._pattern else text

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

    def _named(self, match: re.Match[str]) -> str:
        return f"${{{self._names[(match.lastindex or 1) - 1]}}}"

    def _under(self, key: str, value: Any) -> Any:
        hidden = key.lower() in self._keys or (is_secret_name(key) and isinstance(value, str) and "${" not in value)
        return HIDDEN if hidden else self.value(value)


def _parts(value: str) -> set[str]:
    """Return a value and what of it is a secret by itself: the words of a header, the parts of an address."""
    words = {word for word in value.split() if len(word) > LONGEST_SCHEME}
    return {part for part in {value} | words | _address_parts(value) if len(part) >= SHORTEST}


def _address_parts(value: str) -> set[str]:
    if "://" not in value:
        return set()
    try:
        address = urlsplit(value)
        login = address.netloc.rpartition("@")[0]
        parts = {address.hostname, address.username, address.password, address.netloc, login} - {None, ""}
        secrets = {text for name, text in parse_qsl(address.query) if is_secret_name(name)}
    except ValueError:
        return set()
    named = {part for part in parts if part and part not in OPEN_HOSTS}
    return named | {unquote(part) for part in named} | secrets
