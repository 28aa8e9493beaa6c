"""Where in a JSON text something stands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.storage.json_place import json_place, lone_surrogate

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def locations(value, above=()):
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in members:
        yield (*above, step), member
        yield from locations(member, (*above, step))


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_every_member_and_item_is_found_where_it_stands(value, indent, plain):
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    for location, member in locations(value):
        line, column = json_place(text, location)
        rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
        if isinstance(location[-1], str):
            key, end = json.JSONDecoder().raw_decode(rest)
            assert key == location[-1]
            rest = rest[end:].lstrip(": \n")
        assert json.JSONDecoder().raw_decode(rest)[0] == member


def test_what_is_not_there_is_placed_at_its_nearest_ancestor():
    text = '{"a": [\n  {"b": 1}]}'
    assert json_place(text, ("a", 0, "missing", "too")) == (2, 3)
    assert json_place(text, ("no",)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "at"), [(r'"\ud83d\ude00 \ud800"', 14), (r'"\udc00"', 1), (r'"\ud800\ud83d\ude00"', 1)]
)
def test_the_half_without_its_other_half_is_found(text, at):
    assert lone_surrogate(text) == at
