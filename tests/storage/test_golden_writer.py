"""What is written is read back as it was, whatever text a case holds."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from stages.records.golden import GoldenCase
from stages.storage.golden_append import appended
from stages.storage.golden_writer import dump_golden
from stages.storage.yaml_file import parse_yaml

ODD = [
    "no",
    "12:30",
    "0012",
    "1e3",
    "~",
    "null",
    "true",
    ".inf",
    "- a",
    "a: b",
    "a #b",
    "[x",
    "{x}",
    "'",
    '"',
    "\\n",
    "&a",
]
TEXT = st.one_of(
    st.sampled_from(
        [*ODD, "*a", "!t", "%d", "@x", "`x`", "|", ">", "?", "核心指标", "积压: 高", "\u2028", "\x85", "\ufeffa"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
)
LABEL = st.fixed_dictionaries(
    {"doc_id": TEXT},
    optional={"section": TEXT, "relevance": st.integers(0, 3), "chunk_ids": st.lists(TEXT, max_size=2)},
)
PATHS = st.lists(st.lists(TEXT, min_size=1, max_size=3), max_size=2)
EXPECTED = st.one_of(
    st.just("none"),
    st.fixed_dictionaries(
        {
            "documents": st.lists(LABEL, min_size=1, max_size=3),
            "evidence": st.fixed_dictionaries(
                {
                    "keywords": st.lists(TEXT, max_size=2),
                    "breadcrumbs": st.lists(st.lists(TEXT, min_size=1), max_size=2),
                }
            ),
        },
        optional={"forbidden": st.lists(TEXT, max_size=2)},
    ),
)
SCALAR = st.one_of(TEXT, st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False), st.booleans())
QUERY = st.one_of(
    TEXT,
    st.fixed_dictionaries(
        {"rule_result": st.one_of(TEXT, st.dictionaries(TEXT, SCALAR, min_size=1, max_size=2))},
        optional={"metrics": st.dictionaries(TEXT, SCALAR, max_size=3)},
    ),
)
CASE = st.fixed_dictionaries(
    {"id": st.from_regex(r"[a-z0-9][a-z0-9_-]{0,10}", fullmatch=True), "query": QUERY, "expected": EXPECTED},
    optional={
        "notes": TEXT,
        "tags": st.lists(TEXT, max_size=3),
        "fault_type": st.just("MQ_BACKLOG"),
        "lang": st.just("no"),
    },
).map(GoldenCase.model_validate)


@settings(max_examples=60, deadline=None)
@given(CASE, CASE)
@example(
    GoldenCase.model_validate({"id": "0012", "query": "1e3", "expected": "none", "lang": "no"}),
    GoldenCase.model_validate({"id": "1e3", "query": "\x85", "expected": "none", "notes": "\u2028"}),
)
def test_a_case_that_is_written_is_read_back_as_it_was(tmp_path_factory, first, second):
    text = dump_golden("s", [first, second])
    assert [GoldenCase.model_validate(case) for case in parse_yaml(text, "f").data["cases"]] == [first, second]
    path = tmp_path_factory.mktemp("golden") / "a.yaml"
    path.write_text(dump_golden("s", [first]), encoding="utf-8", newline="\n")
    if first.id != second.id:
        assert appended(path, "s", second) == text
