"""Parameters of the retrieve stages."""

from stages.records.params.topk import Cutoffs, TopK
from stages.records.record import Record


class RetrieveParams(Record):
    """The sections of params.yaml that replaying reads."""

    top_k: TopK
    cutoffs: Cutoffs
