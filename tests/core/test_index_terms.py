"""What is indexed follows the parameters, and nothing counts twice by accident."""

import pytest

from stages.core.index_terms import chunk_terms
from stages.records.chunk import Chunk
from stages.records.params.bm25 import Bm25Params

CHUNK = Chunk(
    chunk_id="a#gamma",
    doc_id="a",
    title="alpha",
    section="gamma",
    breadcrumb=("beta", "gamma"),
    keywords=("delta", "epsilon"),
    content="zeta",
)


@pytest.mark.parametrize(
    ("fields", "terms"),
    [
        (["title"], ["alpha"]),
        (["breadcrumb"], ["beta"]),
        (["section"], ["gamma"]),
        (["keywords", "body"], ["delta", "epsilon", "zeta"]),
        (
            ["title", "breadcrumb", "section", "body", "keywords"],
            ["alpha", "beta", "gamma", "zeta", "delta", "epsilon"],
        ),
    ],
)
def test_the_chosen_fields_are_indexed(fields, terms):
    params = Bm25Params(k1=1.2, b=0.75, depth=10, identifier_parts=True, index_fields=fields)
    assert chunk_terms(CHUNK, params) == terms


def test_a_path_that_does_not_end_in_the_section_counts_whole():
    params = Bm25Params(k1=1.2, b=0.75, depth=10, identifier_parts=True, index_fields=["breadcrumb"])
    chunk = CHUNK.model_copy(update={"breadcrumb": ("beta", "other")})
    assert chunk_terms(chunk, params) == ["beta", "other"]
    assert chunk_terms(CHUNK.model_copy(update={"section": None, "breadcrumb": ()}), params) == []
