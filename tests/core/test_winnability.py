"""Cases that no ranking of the corpus can win."""

import pytest

from stages.core.winnability import mark_unwinnable
from stages.records.case import Case
from stages.records.chunk import Chunk
from stages.records.golden import Evidence, Expectation

CORPUS = (
    Chunk(
        chunk_id="mq#原因", doc_id="mq", title="MQ", section="原因", breadcrumb=("消息", "原因"), content="消费者变慢"
    ),
    Chunk(chunk_id="db#原因", doc_id="db", title="DB", section="原因", breadcrumb=("库", "原因"), content="锁等待"),
)


def case(*labels, answerable=True, **evidence):
    return Case(
        id="a",
        scenario="s",
        query="q",
        fault_type=None,
        lang=None,
        tags=(),
        answerable=answerable,
        expectations=labels,
        evidence=Evidence(**evidence),
    )


TABLE = [
    (case(Expectation(doc_id="mq", section="原因"), keywords=("变慢",)), None),
    (case(Expectation(label="mq"), keywords=("变慢",)), None),
    (case(Expectation(doc_id="mq", section="原因"), breadcrumbs=(("消息", "原因"),)), None),
    (case(Expectation(doc_id="mq"), Expectation(doc_id="gone"), keywords=("变慢", "没有")), None),
    (case(answerable=False), None),
    (
        case(Expectation(doc_id="gone", section="x"), Expectation(doc_id="db", relevance=0), keywords=("变慢",)),
        "no expected document is in the corpus: gone",
    ),
    (
        case(Expectation(doc_id="mq", section="步骤"), keywords=("变慢",)),
        "no expected section is in the corpus: mq#步骤",
    ),
    (
        case(Expectation(doc_id="mq", section="原因"), keywords=("锁等待",)),
        "nothing of the evidence stands in the expected documents",
    ),
]


@pytest.mark.parametrize(("given", "reason"), TABLE)
def test_a_case_is_unwinnable_only_if_the_whole_corpus_would_not_be_a_hit(given, reason):
    assert mark_unwinnable([given], CORPUS)[0].unwinnable == reason
