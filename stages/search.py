"""DVC stage `search`: BM25 over the corpus, for every case, as recordings that `retrieve@bm25` replays."""

import sys
from pathlib import Path

from stages.core.analyser import analyse
from stages.core.bm25_provenance import bm25_provenance
from stages.core.corpus_digest import corpus_digest
from stages.core.engine_recording import engine_recording
from stages.core.index_terms import chunk_terms
from stages.records.case import CaseFile
from stages.records.params.bm25 import SearchParams
from stages.records.recording import PathState
from stages.rendering.terminal import run_reporting
from stages.retrievers.bm25 import Bm25Index
from stages.storage.corpus import read_corpus
from stages.storage.params import read_params
from stages.storage.reading import Reading
from stages.storage.record_file import read_record
from stages.storage.recordings import write_path_state, write_recordings_jsonl

CORPUS = Path("data/corpus")
CASES = Path("data/build/cases.json")
RECORDINGS = Path("data/build/bm25")


def main() -> None:
    """Index the corpus, ask every case, and write what was found, deep enough to be cut and fused later."""
    with Reading() as reading:
        section = reading.of(read_params, SearchParams)
        corpus = reading.of(read_corpus, CORPUS)
    params, chunks = section.bm25, {chunk.chunk_id: chunk for chunk in corpus}
    provenance = bm25_provenance(params, corpus_digest(chunks.values()))
    index = Bm25Index({name: chunk_terms(chunk, params) for name, chunk in chunks.items()}, params.k1, params.b)
    recordings = []
    for case in read_record(CASES, CaseFile).cases:
        found = index.search(analyse(case.query, params.identifier_parts), params.depth)
        recordings.append(engine_recording(case.id, case.query, found, chunks, provenance))
    write_recordings_jsonl(RECORDINGS, recordings)
    write_path_state(RECORDINGS, PathState(path="bm25", status="ready", provenance=provenance))


if __name__ == "__main__":
    sys.exit(run_reporting(main))
