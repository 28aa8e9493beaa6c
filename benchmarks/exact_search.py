"""Hold the recorded dense arm against exact search, without Milvus: the same chunks in the same order?

    python benchmarks/exact_search.py

It embeds the corpus and the recorded queries (some minutes on the first run; the vectors are kept under
data/build/vectors) and ranks by cosine in double precision. Ends with 1 if any ranking differs.
"""

import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from stages.commands.embedding import cached_embedder
from stages.core.chunk_text import chunk_text
from stages.records.params.embedder import EmbedderSection
from stages.records.params.milvus import MilvusSection
from stages.storage.corpus import read_corpus
from stages.storage.params import read_params
from stages.storage.recordings import read_recordings

ROOT = Path(__file__).parents[1]
RECORDINGS = Path("data/fixtures/milvus")
DIGITS = 6


def main() -> int:
    """Compare every recording and print how many agree, and how far the scores are apart at most."""
    os.chdir(ROOT)
    embedder = cached_embedder(read_params(EmbedderSection).embedder)
    chunks = read_corpus(Path("data/corpus"))
    fields = read_params(MilvusSection).milvus.index_fields
    passages = unit(embedder.embed([chunk_text(chunk, fields) for chunk in chunks], "passage"))
    recordings = list(read_recordings(RECORDINGS).values())
    queries = unit(embedder.embed([recording.query for recording in recordings], "query"))
    agreeing, widest = 0, 0.0
    for recording, scores in zip(recordings, queries @ passages.T, strict=True):
        rounded = [round(float(score), DIGITS) for score in scores]
        exact = sorted(
            zip(rounded, (chunk.chunk_id for chunk in chunks), strict=True), key=lambda hit: (-hit[0], hit[1])
        )
        found = [(candidate.score or 0.0, candidate.chunk_id) for candidate in recording.candidates]
        agreeing += [name for _, name in found] == [name for _, name in exact[: len(found)]]
        widest = max(widest, *(abs(mine - theirs) for (mine, _), (theirs, _) in zip(found, exact, strict=False)))
    print(f"{agreeing} of {len(recordings)} rankings are those of exact search; scores differ by {widest:.6f} at most")
    return 0 if agreeing == len(recordings) else 1


def unit(vectors: np.ndarray) -> np.ndarray:
    """Return the rows at length 1, in double precision."""
    double = vectors.astype(np.float64)
    return np.asarray(double / np.linalg.norm(double, axis=1, keepdims=True))


if __name__ == "__main__":
    sys.exit(main())
