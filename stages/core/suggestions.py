"""What could be done about the misses: rules in a fixed order, each naming the cases that it was found in."""

from collections.abc import Iterator, Mapping

from stages.core.suggestions_corpus import keyword_gaps, metric_names, section_titles
from stages.core.suggestions_cut import thin_fault_types, top_k_too_small
from stages.core.suggestions_fusion import first_places_lost, found_and_fused_away, hybrid_no_better
from stages.core.suggestions_query import query_construction
from stages.records.retriever_report import Comparison, Suggestion
from stages.records.scored import ScoredPath


def suggestions(paths: Mapping[str, ScoredPath], comparison: Comparison) -> Iterator[Suggestion]:
    """Yield what the rules found in the retrievers that have a result; a rule that found nothing is silent."""
    yield from keyword_gaps(paths)
    yield from section_titles(paths)
    yield from metric_names(paths)
    yield from query_construction(paths)
    if comparison.duels:
        yield from first_places_lost(paths)
        yield from found_and_fused_away(paths)
    yield from top_k_too_small(paths)
    yield from thin_fault_types(paths)
    yield from hybrid_no_better(comparison)
