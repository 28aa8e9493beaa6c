"""Vectors on disk by the digest of what they were made from: a text is embedded once."""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGEST_BYTES = 32


def vector_key(identity: Mapping[str, Any], role: str, text: str) -> str:
    """Return the key of one vector: the SHA-256 of the embedder's identity, the role and the text."""
    made_from = json.dumps([identity, role, text], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(made_from.encode("utf-8", "surrogatepass")).hexdigest()


def read_vector(folder: Path, key: str) -> NDArray[np.float32] | None:
    """Return the vector kept under `key`, or None when there is none.

    Raises:
        ValueError: what is kept there is not what was written.
    """
    try:
        content = _file(folder, key).read_bytes()
    except FileNotFoundError:
        return None
    digest, payload = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if not payload or len(payload) % 4 or _seal(key, payload) != digest:
        raise ValueError(f"the cached vector {key[:12]} is damaged")
    return np.frombuffer(payload, dtype="<f4").astype(np.float32)


def write_vector(folder: Path, key: str, vector: NDArray[np.float32]) -> None:
    """Keep `vector` under `key`, whole or not at all."""
    file = _file(folder, key)
    file.parent.mkdir(parents=True, exist_ok=True)
    payload = np.ascontiguousarray(vector, dtype="<f4").tobytes()
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(_seal(key, payload) + payload)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _file(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.vector"


def _seal(key: str, payload: bytes) -> bytes:
    """Return a digest over key and payload, so that a file moved to another key is found out too."""
    return hashlib.sha256(key.encode() + payload).digest()
