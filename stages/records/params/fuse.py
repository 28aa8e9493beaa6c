"""Parameters of the fuse stage: the hybrid and the rule reranker."""

from stages.records.params.hybrid import HybridSection
from stages.records.params.rerank import RerankSection


class FuseParams(HybridSection, RerankSection):
    """The sections of params.yaml that fusing reads."""
