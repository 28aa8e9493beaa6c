"""The formulas of metric semantics 1, each stated once.

A formula takes the hits of a query and a cut-off `k` (None: the whole ranking). It is written in the words of
`Hits`, which means one query, and holds as it stands for the arrays of `stages.core.hit_arrays`, which mean many.
The value is None where the measure does not exist: without a relevant key there is nothing to find.
"""

from collections.abc import Callable
from typing import Any

# One query's hits and numbers, or many queries' arrays of them: the formulas are the same.
Table = Any
Formula = Callable[[Table, int | None], Any]


def hit(hits: Table, k: int | None) -> Any:
    """1 if any relevant key is in the first k, else 0.

    Formula: [relevant keys in the first k > 0]
    Not to be confused with: recall@k, which asks how many. Elsewhere: success@k, hit rate.
    Without k: over the whole ranking.
    Source: success of trec_eval (National Institute of Standards and Technology).
    """
    return hits.labelled((hits.found(k) > 0) * 1.0)


def recall(hits: Table, k: int | None) -> Any:
    """The share of the relevant keys that is in the first k.

    Formula: relevant keys in the first k / relevant keys
    Not to be confused with: hit@k, which some call recall@k; capped recall, which divides by what k could hold.
    Source: Cleverdon, Mills, Keen: Factors determining the performance of indexing systems, 1966.
    """
    return hits.share(hits.found(k), hits.relevant)


def capped_recall(hits: Table, k: int | None) -> Any:
    """The share of what the first k could hold that is there: reaches 1 even with more than k relevant keys.

    Formula: relevant keys in the first k / min(k, relevant keys)
    Not to be confused with: recall@k, for which some leaderboards report this. Elsewhere: relative_P of trec_eval.
    Source: Thakur et al.: BEIR, NeurIPS Datasets and Benchmarks 2021, section on metrics (R_cap).
    """
    return hits.share(hits.found(k), hits.relevant if k is None else hits.smaller(k, hits.relevant))


def precision(hits: Table, k: int | None) -> Any:
    """The share of the first k that is relevant; k stays the denominator when fewer came back.

    Formula: relevant keys in the first k / k
    Not to be confused with: hits / returned, which some libraries report as precision@k of a short ranking.
    Without k: divided by the number of candidates; an empty ranking has 0.
    Source: Cleverdon, Mills, Keen: Factors determining the performance of indexing systems, 1966.
    """
    return hits.labelled(hits.share(hits.found(k), hits.depth if k is None else k))


def r_precision(hits: Table, k: int | None) -> Any:
    """Precision at R, where R is the number of relevant keys; equal to recall at R.

    Formula: relevant keys in the first R / R
    Takes no k. Elsewhere: Rprec, R-prec.
    Source: Buckley, Voorhees: Evaluating evaluation measure stability, SIGIR 2000.
    """
    del k
    return hits.share(hits.found(hits.relevant), hits.relevant)


def reciprocal_rank(hits: Table, k: int | None) -> Any:
    """How early the first hit comes; its mean over queries is the mean reciprocal rank, MRR.

    Formula: 1 / rank of the first hit within the first k, and 0 without one
    Not to be confused with: MRR over the hits only, which leaves out the misses.
    Source: Voorhees: The TREC-8 question answering track report, 1999.
    """
    return hits.labelled(1 / hits.first(k))


def first_hit_rank(hits: Table, k: int | None) -> Any:
    """The rank of the first hit within the first k; null without a hit, so its mean speaks of the hits only.

    Formula: min rank of a relevant key
    Not to be confused with: a mean rank in which a miss counts as k + 1. Fewer is better.
    """
    return hits.finite(hits.first(k))


def average_precision(hits: Table, k: int | None) -> Any:
    """Precision averaged over the relevant keys; one that was not found adds 0. Its mean over queries is MAP.

    Formula: sum over the hits in the first k of (number of the hit / its rank) / relevant keys
    Not to be confused with: AP divided by the hits found, or by min(k, relevant keys), as some libraries do.
    Elsewhere: map, map_cut.
    Source: Buckley, Voorhees: Evaluating evaluation measure stability, SIGIR 2000.
    """
    return hits.share(hits.total(_precision_at, k), hits.relevant)


def ndcg(hits: Table, k: int | None) -> Any:
    """Gain that fades with the rank, as a share of the best possible.

    Formula: sum of grade / log2(rank + 1) over the first k, divided by the same sum for all grades in falling order
    Not to be confused with: ndcg_exp, whose gain is 2^grade - 1; an ideal made of the returned candidates only.
    Source: Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 2002.
    """
    return hits.share(hits.gain(None, k), hits.ideal_gain(None, k))


def ndcg_exponential(hits: Table, k: int | None) -> Any:
    """As nDCG, with a gain that doubles with each grade.

    Formula: as ndcg, with 2^grade - 1 in place of grade
    Not to be confused with: ndcg. On grades 0 and 1 the two are equal.
    Source: Burges et al.: Learning to rank using gradient descent, ICML 2005.
    """
    return hits.share(hits.gain(_exponential, k), hits.ideal_gain(_exponential, k))


def judged(hits: Table, k: int | None) -> Any:
    """The share of the first k that anybody judged: how far the other measures can be trusted.

    Formula: judged keys in the first k / distinct keys in the first k
    Not to be confused with: a share of k; a short ranking is divided by what it has. An empty ranking has none.
    Source: the judgment rate of OpenNIR and ir_measures.
    """
    return hits.share(hits.judged(k), hits.candidates(k) - hits.repeats(k))


def duplicate_rate(hits: Table, k: int | None) -> Any:
    """The share of the first k that shows a key again, and so gains nothing.

    Formula: candidates in the first k whose key stood higher already / candidates in the first k
    An empty ranking has none.
    """
    return hits.share(hits.repeats(k), hits.candidates(k))


def _precision_at(number: Any, rank: Any) -> Any:
    return number / rank


def _exponential(grade: Any) -> Any:
    return 2.0**grade - 1


FORMULAS: dict[str, Formula] = {
    "hit": hit,
    "recall": recall,
    "capped_recall": capped_recall,
    "precision": precision,
    "r_precision": r_precision,
    "rr": reciprocal_rank,
    "first_hit_rank": first_hit_rank,
    "ap": average_precision,
    "ndcg": ndcg,
    "ndcg_exp": ndcg_exponential,
    "judged": judged,
    "duplicate_rate": duplicate_rate,
}
