"""Names of headers, parameters and keys whose values are secrets."""

import re

SECRET_WORD = re.compile(
    r"(password|passwd|secret|credentials?|apikey|accesskey|privatekey|token|authorization|cookie|session|signature)$"
)


def is_secret_name(name: str) -> bool:
    """Say whether something of this name usually holds a secret: `X-Api-Key`, `access_token`; not `max_tokens`."""
    return SECRET_WORD.search(re.sub(r"[^a-z]", "", name.lower())) is not None
