"""The digest names the content of a corpus and nothing else."""

import unicodedata

from stages.core.corpus_digest import corpus_digest
from stages.records.chunk import Chunk

A = Chunk(chunk_id="a#é", doc_id="a", section="é", content="café")
B = Chunk(chunk_id="b", doc_id="b", content="x")


def test_the_digest_is_pinned():
    """It stands in recordings: a change of its recipe makes every index stale, and must be meant."""
    assert corpus_digest([B]) == "sha256:a9d1499450c738ce1b0b68759a98fef6ed4da0f0c89e3cd9719ac2cb7aa592c5"


def test_order_and_unicode_form_change_nothing():
    decomposed = A.model_copy(update={"content": unicodedata.normalize("NFD", A.content)})
    assert corpus_digest([A, B]) == corpus_digest([B, A]) == corpus_digest([B, decomposed])


def test_any_field_changes_the_digest():
    for field in ("title", "section", "category", "lang", "content", "source"):
        assert corpus_digest([B.model_copy(update={field: "other"})]) != corpus_digest([B]), field
    assert corpus_digest([B.model_copy(update={"keywords": ("k",)})]) != corpus_digest([B])
