"""BM25 over a corpus, ready to be asked; it is pure, so that recorded and live answers are the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stages.core.analyser import analyse
from stages.core.bm25_provenance import bm25_provenance
from stages.core.corpus_digest import corpus_digest
from stages.core.engine_recording import engine_recording
from stages.core.hybrid_path import PathAnswers
from stages.core.index_terms import chunk_terms
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params
from stages.records.recording import PathState, Recording
from stages.retrievers.bm25 import Bm25Index


@dataclass(frozen=True)
class Bm25Arm:
    """An index with what it was made from."""

    params: Bm25Params
    chunks: Mapping[str, Chunk]
    index: Bm25Index
    provenance: dict[str, Any]

    def answer(self, case: Case) -> Recording:
        """Return the recording of one case."""
        found = self.index.search(analyse(case.query, self.params.identifier_parts), self.params.depth)
        return engine_recording(case.id, case.query, found, self.chunks, self.provenance)

    def answer_all(self, cases: Sequence[Case]) -> PathAnswers:
        """Return the recordings of all cases, with the state of the path."""
        state = PathState(path="bm25", status="ready", provenance=self.provenance)
        return PathAnswers(state, {case.id: self.answer(case) for case in cases})


def bm25_arm(params: Bm25Params, chunks: Sequence[Chunk]) -> Bm25Arm:
    """Index `chunks`."""
    index = Bm25Index({chunk.chunk_id: chunk_terms(chunk, params) for chunk in chunks}, params.k1, params.b)
    provenance = bm25_provenance(params, corpus_digest(chunks))
    return Bm25Arm(params, {chunk.chunk_id: chunk for chunk in chunks}, index, provenance)
