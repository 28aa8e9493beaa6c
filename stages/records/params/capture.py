"""Parameters of capturing."""

from stages.records.params.score import Paths
from stages.records.params.topk import TopK
from stages.records.record import Record


class CaptureParams(Record):
    """The sections of params.yaml that a capture reads: how many to ask for, and where recordings go."""

    top_k: TopK
    paths: Paths
