"""Parameters of the commands that evaluate retrievers."""

from stages.records.params.bm25 import SearchParams
from stages.records.params.fuse import FuseParams
from stages.records.params.score import ScoreParams


class RetrieverParams(SearchParams, FuseParams, ScoreParams):
    """The sections of params.yaml that ranking and scoring read; a command's own `--top-k` goes before `topK`."""
