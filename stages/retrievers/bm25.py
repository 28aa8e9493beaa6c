"""BM25 by Lucene's formula, in memory, over terms that somebody else made."""

from collections.abc import Mapping, Sequence
from typing import Final

import bm25s
import numpy as np

SCORE_DIGITS: Final = 6


class Bm25Index:
    """An index of documents, each a list of terms.

    The score of a document is the sum, over the terms of the query with their repetitions, of
    `ln(1 + (N - df + .5) / (df + .5)) * tf / (tf + k1 * (1 - b + b * length / mean length))`
    (Kamphuis et al., "Which BM25 do you mean?", ECIR 2020, as "Lucene (accurate)"), in double precision.
    """

    def __init__(self, documents: Mapping[str, Sequence[str]], k1: float, b: float) -> None:
        """Index `documents`, chunk id to terms."""
        self._ids = sorted(documents)
        terms = sorted({term for document in documents.values() for term in document})
        self._numbers = {term: number for number, term in enumerate(terms)}
        # Our own numbering: the library's follows a set, whose order changes with the hash seed.
        numbered = [[self._numbers[term] for term in documents[name]] for name in self._ids]
        self._engine = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64", backend="numpy")
        if terms:
            vocabulary = dict(self._numbers)
            self._engine.index((numbered, vocabulary), create_empty_token=False, show_progress=False)

    def search(self, terms: Sequence[str], depth: int) -> list[tuple[str, float]]:
        """The best `depth` documents with their scores: by score descending, then by id.

        Scores are rounded to 6 digits before they are compared, so that a recording and a live answer
        order alike. A document that holds no term of the query is never returned.
        """
        numbers = [self._numbers[term] for term in terms if term in self._numbers]
        if not numbers:
            return []
        scores = self._engine.get_scores(numbers)
        found = [(self._ids[row], round(float(scores[row]), SCORE_DIGITS)) for row in np.flatnonzero(scores > 0)]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:depth]

    def document_weights(self) -> dict[str, dict[int, float]]:
        """Each document as a sparse vector: term number to its part of the score.

        The inner product with `query_weights` is the score, so a vector store can rank as this index does.
        """
        weights: dict[str, dict[int, float]] = {name: {} for name in self._ids}
        if not self._numbers:
            return weights
        matrix = self._engine.scores
        for number in range(len(self._numbers)):
            for at in range(matrix["indptr"][number], matrix["indptr"][number + 1]):
                weights[self._ids[matrix["indices"][at]]][number] = float(matrix["data"][at])
        return weights

    def query_weights(self, terms: Sequence[str]) -> dict[int, float]:
        """The query as a sparse vector: term number to how often it occurs; unknown terms are left out."""
        weights: dict[int, float] = {}
        for term in terms:
            if term in self._numbers:
                weights[self._numbers[term]] = weights.get(self._numbers[term], 0.0) + 1.0
        return weights
