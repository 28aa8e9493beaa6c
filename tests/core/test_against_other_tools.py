"""Thousands of random rankings against the reference implementations, ties first neutralised and then on their own."""

import random

import ir_measures
import pytest
import pytrec_eval

from stages.core.score_order import find_scored_hits, order_by_score
from stages.core.scoring import score_queries
from stages.core.trec_measures import parse_trec_measures

TREC = ["map", "ndcg", "recip_rank", "Rprec", "bpref", "set_P", "set_recall", "set_F", "infAP", "num_ret", "num_rel"]
TREC += [f"{family}_{k}" for family in ("P", "recall", "map_cut", "ndcg_cut", "success") for k in (1, 3, 5, 10, 100)]
PLAIN = {
    "hit@5": ir_measures.Success @ 5,
    "recall@5": ir_measures.R @ 5,
    "precision@5": ir_measures.P @ 5,
    "rr": ir_measures.RR,
    "rr@5": ir_measures.RR @ 5,
    "ap": ir_measures.AP,
    "ap@5": ir_measures.AP @ 5,
    "ndcg@5": ir_measures.nDCG @ 5,
    "judged@5": ir_measures.Judged @ 5,
    "r_precision": ir_measures.Rprec,
}


def collection(seed, *, tied, queries=1000):
    """Judgments and runs of many shapes: shallow and deep, with and without relevant documents, often unjudged."""
    generator = random.Random(seed)
    judgments, runs = {}, {}
    for number in range(queries):
        documents = [f"d{name}" for name in generator.sample(range(60), generator.randint(1, 40))]
        judged = generator.sample(range(60), generator.randint(1, 30))
        judgments[f"q{number}"] = {f"d{name}": generator.choice([0, 0, 1, 1, 2, 3]) for name in judged}
        steps = generator.randint(1, 5) if tied else 1 << 20
        scores = generator.sample(range(steps * 50), len(documents)) if not tied else []
        runs[f"q{number}"] = {
            document: float(generator.randrange(steps) if tied else scores[at]) for at, document in enumerate(documents)
        }
    return judgments, runs


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("tied", [False, True], ids=["scores that differ", "scores that tie"])
def test_every_value_of_pytrec_eval(tied, level):
    judgments, runs = collection(1, tied=tied)
    names = {name.rpartition("_")[0] + "." + name.rpartition("_")[2] if name[-1].isdigit() else name for name in TREC}
    expected = pytrec_eval.RelevanceEvaluator(judgments, names, relevance_level=level).evaluate(runs)
    measures = parse_trec_measures(TREC)
    for query, values in expected.items():
        hits = find_scored_hits(judgments[query], runs[query], level)
        got = {measure.name: measure.value(hits) or 0.0 for measure in measures}
        assert got == pytest.approx({name: values[name] for name in got}, abs=1e-9), query


def test_the_exponential_gain_is_a_linear_one_on_other_grades():
    """The nDCG of pytrec_eval on grades 2^g - 1."""
    judgments, runs = collection(3, tied=False)
    doubled = {query: {key: 2**grade - 1 for key, grade in judged.items()} for query, judged in judgments.items()}
    expected = pytrec_eval.RelevanceEvaluator(doubled, {"ndcg_cut.5"}).evaluate(runs)
    rankings = {query: order_by_score(run) for query, run in runs.items()}
    got = score_queries(judgments, rankings, ["ndcg_exp@5"])
    assert {query: scores["ndcg_exp@5"] or 0.0 for query, scores in got.items()} == pytest.approx(
        {query: values["ndcg_cut_5"] for query, values in expected.items()}, abs=1e-9
    )


def test_every_value_of_ir_measures():
    """Where a query has no relevant document ours do not exist, and theirs are 0."""
    judgments, runs = collection(2, tied=False)
    # One of its providers wants judgments that are there: a query without a relevant document is left to the next test.
    judgments = {query: judged for query, judged in judgments.items() if max(judged.values()) > 0}
    rankings = {query: order_by_score(runs[query]) for query in judgments}
    ours = score_queries(judgments, rankings, list(PLAIN))
    names = {measure: name for name, measure in PLAIN.items()}
    seen = 0
    for metric in ir_measures.iter_calc(list(PLAIN.values()), judgments, {query: runs[query] for query in judgments}):
        assert ours[metric.query_id][names[metric.measure]] == pytest.approx(metric.value, abs=1e-9), metric
        seen += 1
    assert seen == len(judgments) * len(PLAIN)
