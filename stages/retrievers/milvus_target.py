"""Which Milvus is asked."""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from stages.retrievers.failure import EngineFailure

REMOTE_SCHEMES = ("http", "https", "tcp")


@dataclass(frozen=True)
class MilvusTarget:
    """An address, a secret by its name, and a time limit.

    Attributes:
        uri: A path that ends in `.db` (Milvus Lite, in this process) or `http://host:port` (a server or a cluster).
        token_env: The NAME of the environment variable with the token, or None for none.
        timeout_s: Seconds for each single question, connecting included.
    """

    uri: str
    token_env: str | None = None
    timeout_s: float = 10.0

    @property
    def embedded(self) -> bool:
        """Whether the engine runs in this process."""
        return urlsplit(self.uri).scheme not in REMOTE_SCHEMES

    def token(self) -> str:
        """Return the token, empty where none is wanted.

        Raises:
            EngineFailure: `token_missing`.
        """
        if self.token_env is None:
            return ""
        token = os.environ.get(self.token_env, "")
        if not token:
            raise EngineFailure("token_missing", f"the environment variable {self.token_env} is not set")
        return token
