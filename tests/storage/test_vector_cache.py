"""Vectors kept by the digest of what they were made from."""

import numpy as np
import pytest

from stages.storage.vector_cache import read_vector, vector_key, write_vector

IDENTITY = {"name": "tiny", "version": "1"}
VECTOR = np.array([0.25, -1.5, 3.0e-8], dtype=np.float32)


def test_a_vector_comes_back_bit_by_bit(tmp_path):
    key = vector_key(IDENTITY, "query", "订单")
    assert read_vector(tmp_path, key) is None
    write_vector(tmp_path, key, VECTOR)
    assert read_vector(tmp_path, key).tobytes() == VECTOR.tobytes()
    assert not list(tmp_path.rglob("*.part"))


def test_the_key_depends_on_embedder_role_and_text_and_not_on_the_order_of_fields():
    keys = {
        vector_key(IDENTITY, "query", "订单"),
        vector_key(IDENTITY, "passage", "订单"),
        vector_key(IDENTITY, "query", "订单 "),
        vector_key({**IDENTITY, "version": "2"}, "query", "订单"),
    }
    assert len(keys) == 4
    assert vector_key(dict(reversed(IDENTITY.items())), "query", "订单") in keys


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda content: content[:-4],
        lambda content: content[:-1] + b"\0",
        lambda content: content[:32],
        lambda content: bytes(32) + content[32:],
    ],
    ids=["empty", "cut", "last byte changed", "no payload", "wrong seal"],
)
def test_a_damaged_entry_is_found_out(tmp_path, damage):
    key = vector_key(IDENTITY, "query", "订单")
    write_vector(tmp_path, key, VECTOR)
    (file,) = tmp_path.rglob("*.vector")
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ValueError, match=f"the cached vector {key[:12]} is damaged"):
        read_vector(tmp_path, key)


def test_an_entry_under_another_key_is_found_out(tmp_path):
    first, second = vector_key(IDENTITY, "query", "a"), vector_key(IDENTITY, "query", "b")
    write_vector(tmp_path, first, VECTOR)
    write_vector(tmp_path, second, VECTOR + 1)
    (one,), (two,) = tmp_path.rglob(f"{first}.vector"), tmp_path.rglob(f"{second}.vector")
    two.write_bytes(one.read_bytes())
    with pytest.raises(ValueError, match="damaged"):
        read_vector(tmp_path, second)
