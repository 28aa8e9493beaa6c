"""Labels that look as if a retriever had written them."""

from collections.abc import Mapping, Sequence

from stages.core.matching import full_rule
from stages.records.audit import Circularity
from stages.records.case import Case
from stages.records.ranking import Ranking


def circularity(retriever: str, cases: Sequence[Case], rankings: Mapping[str, Ranking]) -> Circularity:
    """Return the cases whose n relevant labels are exactly the first n candidates of a retriever, in any order.

    One such case is luck. Many of them, with several labels each, say that the labels were copied from this
    retriever, and then every other one is judged by its likeness to it.
    """
    ran = [case for case in cases if case.answerable and rankings[case.id].state == "ok"]
    equal = tuple(case.id for case in ran if _equal(case, rankings[case.id]))
    share = len(equal) / len(ran) if ran else None
    return Circularity(retriever=retriever, cases=len(ran), equal=len(equal), equal_share=share, case_ids=equal)


def _equal(case: Case, ranking: Ranking) -> bool:
    relevant = [label for label in case.expectations if label.relevance > 0]
    first = ranking.candidates[: len(relevant)]
    met = [{index for index, label in enumerate(relevant) if full_rule(label, item)} for item in first]
    return len(first) == len(relevant) and all(met) and set().union(*met) == set(range(len(relevant)))
