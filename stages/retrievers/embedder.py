"""What every embedder offers, and the check that each passes its answers through."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from stages.retrievers.failure import EngineFailure

Role = Literal["query", "passage"]
Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors; models of the E5 kind treat queries and passages differently."""

    def identity(self) -> dict[str, Any]:
        """Return what the vectors depend on (name, version, digest, ...), without hosts or secrets."""

    def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return one row a text, in order.

        Raises:
            EngineFailure: the model or the server could not answer, or answered something else.
        """


def checked_vectors(rows: Sequence[Any], expected_count: int, dimensions: int | None) -> Vectors:
    """Return `rows` as a matrix of `expected_count` rows.

    Raises:
        EngineFailure: another count, rows of unequal or of another length than `dimensions`, or no direction.
    """
    if len(rows) != expected_count:
        raise EngineFailure(
            "embedder_wrong_count", f"the embedder returned {len(rows)} vectors for {expected_count} texts"
        )
    try:
        vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError):
        raise EngineFailure(
            "embedder_bad_answer", "the embedder returned vectors that are not equally long lists of numbers"
        ) from None
    if vectors.ndim != 2 or (dimensions is not None and vectors.shape[1] != dimensions):  # noqa: PLR2004 (a matrix)
        length = vectors.shape[-1] if vectors.ndim > 1 else "no"
        wanted = "a matrix" if dimensions is None else f"{dimensions} dimensions"
        raise EngineFailure(
            "embedder_wrong_dimension", f"the embedder returned vectors of {length} dimensions, not {wanted}"
        )
    if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
        raise EngineFailure("embedder_bad_answer", "the embedder returned a vector that is zero or not finite")
    return vectors
