"""What trec_eval prints beyond metric semantics 1, over the hits of one query; as in its version 10."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate, count
from math import floor, log2

from stages.core.hits import Hits
from stages.core.measure_formulas import ndcg

INFERRED_EPSILON = 0.00001
RBP_PERSISTENCE = 0.9


def num_ret(hits: Hits) -> int:
    """How many documents were retrieved."""
    return hits.depth


def num_rel(hits: Hits) -> int:
    """How many documents are relevant."""
    return hits.relevant


def num_rel_ret(hits: Hits) -> int:
    """How many relevant documents were retrieved."""
    return len(hits.ranks)


def num_nonrel_judged_ret(hits: Hits) -> int:
    """How many documents judged not relevant were retrieved; a negative grade is no judgment for trec_eval."""
    return len(hits.nonrelevant_ranks())


def bpref(hits: Hits) -> float:
    """How rarely a judged irrelevant document stands above a relevant one; unjudged ones do not count.

    Formula: sum over the hits of (1 - min(n, R) / min(N, R)) / R, n of N judged irrelevant documents standing above
    Source: Buckley, Voorhees: Retrieval evaluation with incomplete information, SIGIR 2004.
    """
    total, nonrelevant = 0.0, hits.nonrelevant_ranks()
    for rank in hits.ranks:
        above = bisect_left(nonrelevant, rank)
        total += 1 - min(above, hits.relevant) / min(hits.nonrelevant, hits.relevant) if above else 1.0
    return total / hits.relevant if hits.relevant else 0.0


def interpolated_precision(hits: Hits, recall: float) -> float:
    """The best precision at or below the rank where `recall` is reached.

    Formula: max of (number of the hit / its rank) over the hits from number round(recall * R) on
    trec_eval 9 took floor(recall * R + 0.9), so the two differ on few relevant documents.
    """
    wanted = max(1, floor(recall * hits.relevant + 0.5))
    precisions = (number / rank for number, rank in enumerate(hits.ranks, 1) if number >= wanted)
    return max(precisions, default=0.0)


def eleven_point_average(hits: Hits) -> float:
    """Interpolated precision averaged over recall 0.0, 0.1, .. 1.0."""
    return sum(interpolated_precision(hits, tenth / 10) for tenth in range(11)) / 11


def precision_at_multiple(hits: Hits, multiple: float) -> float:
    """Precision at `multiple` times the number of relevant documents."""
    cut = floor(multiple * hits.relevant + 0.9)
    return hits.found(cut) / cut if cut else 0.0


def set_relative_precision(hits: Hits) -> float:
    """Relevant documents retrieved / the most that could be, given how many were retrieved."""
    return len(hits.ranks) / min(hits.depth, hits.relevant) if hits.depth and hits.relevant else 0.0


def set_f(hits: Hits) -> float:
    """Harmonic mean of precision and recall over everything retrieved."""
    return 2 * len(hits.ranks) / (hits.depth + hits.relevant) if hits.ranks else 0.0


def set_map(hits: Hits) -> float:
    """Precision times recall over everything retrieved."""
    return len(hits.ranks) ** 2 / (hits.depth * hits.relevant) if hits.ranks else 0.0


def utility(hits: Hits) -> float:
    """Relevant documents retrieved less the others."""
    return float(2 * len(hits.ranks) - hits.depth)


def unjudged(hits: Hits, k: int) -> float:
    """Unjudged documents in the first k / k."""
    negative = bisect_right(hits.negative_ranks(), k)
    return (hits.candidates(k) - hits.judged(k) + negative) / k


def rank_biased_precision(hits: Hits) -> float:
    """Expected gain for a reader who goes on with probability 0.9; gain = grade / the query's highest grade.

    Source: Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2008.
    """
    total = sum(grade * RBP_PERSISTENCE ** (rank - 1) for grade, rank in zip(hits.grades, hits.gain_ranks, strict=True))
    return (1 - RBP_PERSISTENCE) * total / hits.best_grades[0] if hits.grades else 0.0


def rank_biased_residual(hits: Hits) -> float:
    """What rank-biased precision would gain if every unjudged document were relevant; 0 with all of them judged."""
    judged = [*hits.ranks, *hits.nonrelevant_ranks()]
    if len(judged) == hits.depth:
        return 0.0
    return 1 - (1 - RBP_PERSISTENCE) * sum(RBP_PERSISTENCE ** (rank - 1) for rank in sorted(judged))


def inferred_ap(hits: Hits) -> float:
    """Average precision estimated from a judged sample of the pool; a negative grade: in the pool, not judged.

    Source: Yilmaz, Aslam: Estimating average precision with incomplete and imperfect judgments, CIKM 2006.
    """
    total, nonrelevant, negative = 0.0, hits.nonrelevant_ranks(), hits.negative_ranks()
    for before, rank in enumerate(hits.ranks):
        wrong = bisect_left(nonrelevant, rank)
        pooled = before + wrong + bisect_left(negative, rank)
        sampled = (before + INFERRED_EPSILON) / (before + wrong + 2 * INFERRED_EPSILON)
        total += 1.0 if rank == 1 else 1 / rank + pooled / rank * sampled
    return total / hits.relevant if hits.relevant else 0.0


def binary_g(hits: Hits) -> float:
    """1 / log2(2 + other documents above), averaged over the relevant documents; an experiment of trec_eval."""
    total = sum(1 / log2(rank - number + 2) for number, rank in enumerate(hits.ranks, 1))
    return total / hits.relevant if hits.relevant else 0.0


def normalised_g(hits: Hits) -> float:
    """As binary G with the grade as gain, set against the ideal order; an experiment of trec_eval."""
    ideal = list(accumulate(hits.best_grades))
    total = 0.0
    for gained, grade, rank in zip(accumulate(hits.grades), hits.grades, hits.gain_ranks, strict=True):
        cost = ideal[min(rank, len(ideal)) - 1] + max(0, rank - len(ideal))
        total += grade / log2(2 + cost - gained)
    return total / ideal[-1] if ideal else 0.0


def ndcg_over_relevant(hits: Hits) -> float:
    """The nDCG averaged over the relevant documents, each at its rank; one not retrieved counts at the end."""
    gained = list(accumulate(map(_discounted, hits.grades, hits.gain_ranks)))
    ideal = list(accumulate(map(_discounted, hits.best_grades, count(1))))
    if not gained:
        return 0.0
    total = (len(ideal) - len(gained)) * gained[-1] / ideal[-1]
    for gain, rank in zip(gained, hits.gain_ranks, strict=True):
        total += gain / ideal[min(rank, len(ideal)) - 1]
    return total / len(ideal)


def ndcg_over_levels(hits: Hits) -> float:
    """The nDCG averaged over the ranks where the ideal order steps down a grade, and the end of the ranking."""
    if not hits.relevant:
        return 0.0
    best = hits.best_grades
    steps: list[int | None] = [rank for rank in range(1, len(best)) if best[rank] < best[rank - 1]]
    steps.append(len(best))
    if hits.depth > len(best) + 1:
        steps.append(None)
    return float(sum(ndcg(hits, step) for step in steps) / len(steps))


def _discounted(grade: int, rank: int) -> float:
    return grade / log2(rank + 1)


COUNTS: dict[str, Callable[[Hits], int]] = {
    "num_ret": num_ret,
    "num_rel": num_rel,
    "num_rel_ret": num_rel_ret,
    "num_nonrel_judged_ret": num_nonrel_judged_ret,
}
OTHERS: dict[str, Callable[[Hits], float]] = {
    "bpref": bpref,
    "11pt_avg": eleven_point_average,
    "infAP": inferred_ap,
    "utility": utility,
    "binG": binary_g,
    "G": normalised_g,
    "ndcg_rel": ndcg_over_relevant,
    "Rndcg": ndcg_over_levels,
    "set_relative_P": set_relative_precision,
    "set_map": set_map,
    "set_F": set_f,
    "rbp": rank_biased_precision,
    "rbp_resid": rank_biased_residual,
}
