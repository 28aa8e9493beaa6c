"""One name for the content of a corpus, so that a stale index is noticed."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable

from stages.records.chunk import Chunk


def corpus_digest(chunks: Iterable[Chunk]) -> str:
    """`sha256:` and the hex digest over all chunks by chunk id, each as canonical JSON in Unicode form NFC.

    The order in which the chunks were read, and the normal form in which an editor saved them, change
    nothing; any other change of any field does.
    """
    digest = hashlib.sha256()
    for chunk in sorted(chunks, key=lambda chunk: chunk.chunk_id):
        line = json.dumps(chunk.model_dump(mode="json"), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest.update(unicodedata.normalize("NFC", line).encode() + b"\n")
    return f"sha256:{digest.hexdigest()}"
