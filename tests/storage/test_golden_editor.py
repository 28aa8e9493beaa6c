"""Edits to golden files: the data changes as asked, and nothing else of the text does."""

import copy
import difflib
import json
import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.records.golden_edit import GoldenEdit
from stages.records.problem import InputError
from stages.storage.golden_editor import edit_golden, patch_golden
from stages.storage.yaml_file import parse_yaml
from stages.storage.yaml_text import flow_text

WORDS = st.sampled_from(
    ["mq", "核心指标", "no", "12:30", "a b", "a: b", "x # y", "- z", "'q'", '"d"', "[b]", "{c}", "1.0", "~"]
)
DOCUMENTS = ("expected", "documents")


def quoted(draw, value):
    style = draw(st.sampled_from(["as needed", "double", "single"]))
    if style == "double":
        return yaml.safe_dump(value, default_style='"', allow_unicode=True, width=1000).strip()
    if style == "single":
        return "'" + value.replace("'", "''") + "'"
    return flow_text(value)


def comment(draw, counter):
    counter[0] += 1
    return f"   # c{counter[0]}" if draw(st.booleans()) else ""


def own_line(draw, counter, indent):
    counter[0] += 1
    return draw(st.sampled_from(["", "\n", f"{' ' * indent}# c{counter[0]}\n", f"# c{counter[0]}\n\n"]))


@st.composite
def golden_texts(draw):
    """A golden file in a layout that nobody would want to lose, and its labels by case."""
    counter, out, labels = [0], ["scenario: s\n", "cases:\n"], []
    for number in range(draw(st.integers(1, 3))):
        documents = draw(st.lists(st.fixed_dictionaries({"doc_id": WORDS, "section": WORDS}), min_size=2, max_size=4))
        labels.append(documents)
        out += [own_line(draw, counter, 2), f"  - id: c{number}{comment(draw, counter)}\n"]
        out += [f"    query:   {quoted(draw, draw(WORDS))}{comment(draw, counter)}\n", "    expected:\n"]
        pad = " " * draw(st.integers(6, 10))
        if draw(st.booleans()):
            items = ",  ".join(
                f"{{doc_id: {quoted(draw, d['doc_id'])}, section:  {quoted(draw, d['section'])} }}" for d in documents
            )
            out.append(f"      documents: [ {items} ]{comment(draw, counter)}\n")
        else:
            out.append(f"      documents:{comment(draw, counter)}\n")
            for document in documents:
                doc, section = quoted(draw, document["doc_id"]), quoted(draw, document["section"])
                out.append(own_line(draw, counter, len(pad)))
                if draw(st.booleans()):
                    out.append(f"{pad}- {{doc_id: {doc}, section: {section}}}{comment(draw, counter)}\n")
                else:
                    out.append(f"{pad}- doc_id: {doc}{comment(draw, counter)}\n")
                    out.append(f"{pad}  section: {section}{comment(draw, counter)}\n")
        out += [own_line(draw, counter, 6), "      evidence: {keywords: [k]}\n"]
    text = "".join(out)
    return text if draw(st.booleans()) else text.rstrip("\n"), labels


@settings(max_examples=150, deadline=None)
@given(st.data(), golden_texts())
def test_only_what_is_asked_for_changes_whatever_the_layout(data, generated):
    text, labels = generated
    expected, edits = copy.deepcopy(labels), []
    for number, documents in enumerate(labels):
        index = data.draw(st.integers(0, len(documents) - 1))
        action = data.draw(st.sampled_from(["section", "doc_id", "insert", "append", "remove", "whole"]))
        place = (*DOCUMENTS, index)
        value, label = data.draw(WORDS), {"doc_id": data.draw(WORDS), "relevance": 2}
        if action in ("section", "doc_id"):
            edits.append(GoldenEdit("f", f"c{number}", (*place, action), "replace", value))
            expected[number][index][action] = value
        elif action == "whole":
            edits.append(GoldenEdit("f", f"c{number}", place, "replace", label))
            expected[number][index] = label
        elif action == "remove":
            edits.append(GoldenEdit("f", f"c{number}", place, "remove"))
            del expected[number][index]
        else:
            at = place if action == "insert" else DOCUMENTS
            edits.append(GoldenEdit("f", f"c{number}", at, action, label))
            expected[number].insert(index + 1 if action == "insert" else len(documents), label)
    after = edit_golden(text, edits)
    before = parse_yaml(text, "f").data
    for case, documents in zip(before["cases"], expected, strict=True):
        case["expected"]["documents"] = documents
    assert parse_yaml(after, "f").data == before
    gone = [line for line in difflib.ndiff(text.splitlines(), after.splitlines()) if line.startswith("- ")]
    assert len(gone) <= 2 * len(edits)
    if all(edit.action != "remove" and len(edit.location) != 3 for edit in edits):
        assert re.findall(r"# c\d+", after) == re.findall(r"# c\d+", text)


def test_a_case_that_is_not_there_is_no_silent_success():
    with pytest.raises(KeyError, match="zzz"):
        edit_golden("scenario: s\ncases:\n  - id: a\n", [GoldenEdit("f", "zzz", ("id",), "replace", "b")])


SHARED = """\
scenario: s
cases:
  - id: a
    query: q
    expected:
      documents: &both [{doc_id: old}, {doc_id: other}]
  - id: b
    query: &q q
    expected:
      documents: *both
  - id: c
    query: *q
    expected:
      documents: [&item {doc_id: old}, {doc_id: &id old}, {doc_id: fine}]   # c
  - id: d
    expected:
      documents:
        - *item
        - doc_id: *id
        - doc_id: fine
"""
FIRST = (*DOCUMENTS, 0, "doc_id")


def renamed(case, location=FIRST):
    return GoldenEdit("f.yaml", case, location, "replace", "new")


def test_what_stands_behind_an_alias_is_left_to_a_person():
    with pytest.raises(InputError) as caught:
        edit_golden(SHARED, [renamed("b")])
    assert str(caught.value) == (
        "f.yaml:7: case b: an alias shares what is to change with other places. Write it out, or change it by hand."
    )


@pytest.mark.parametrize(
    "edit",
    [
        renamed("a"),
        GoldenEdit("f", "a", DOCUMENTS, "append", {"doc_id": "more"}),
        GoldenEdit("f", "b", DOCUMENTS, "append", {"doc_id": "more"}),
        GoldenEdit("f", "c", (*DOCUMENTS, 0), "replace", {"doc_id": "new"}),
        GoldenEdit("f", "c", (*DOCUMENTS, 0), "remove"),
        GoldenEdit("f", "d", (*DOCUMENTS, 0), "remove"),
        GoldenEdit("f", "d", (*DOCUMENTS, 0), "insert", {"doc_id": "more"}),
        GoldenEdit("f", "d", (*DOCUMENTS, 1), "remove"),
        renamed("c", (*DOCUMENTS, 1, "doc_id")),
    ],
    ids=lambda edit: f"{edit.case_id} {edit.action} {len(edit.location)}",
)
def test_no_other_case_changes_with_one_that_shares_its_text_and_no_alias_loses_its_anchor(edit):
    """What is made says what was asked to the letter; what cannot be is left, beside what can."""
    other = GoldenEdit("f", "c", (*DOCUMENTS, 2, "doc_id"), "replace", "better")
    text, left = patch_golden(SHARED, [[edit], [other]])
    wanted = json.loads(json.dumps(parse_yaml(SHARED, "").data))
    wanted["cases"][2]["expected"]["documents"][2]["doc_id"] = "better"
    if edit.case_id == "d" and edit.location == (*DOCUMENTS, 1):
        del wanted["cases"][3]["expected"]["documents"][1]
    assert parse_yaml(text, "").data == wanted
    assert left == (set() if edit.location == (*DOCUMENTS, 1) else {0})


def test_what_every_place_that_shares_a_text_asks_for_is_made_once_for_all():
    edits = [[renamed(name)] for name in "abcd"]
    edits += [[renamed(name, (*DOCUMENTS, 1, "doc_id"))] for name in "cd"]
    text, left = patch_golden(SHARED, [[renamed("a", (*DOCUMENTS, 1, "doc_id"))], *edits])
    assert left == {0}
    assert text == SHARED.replace("{doc_id: old}", "{doc_id: new}").replace("&id old", "&id new")


@pytest.mark.parametrize("gone", [(0, 1), (1, 2), (2, 3), (0, 3), (0, 1, 2), (1, 2, 3), (0, 2, 3)])
@pytest.mark.parametrize("documents", ["[ {doc_id: a},  {doc_id: b} ,{doc_id: c},\n        {doc_id: d} ] # e", None])
def test_several_items_of_one_list_go_at_once(gone, documents):
    block = "".join(f"\n        - doc_id: {name}   # {name}" for name in "abcd")
    text = f"scenario: s\ncases:\n  - id: a\n    expected:\n      documents: {documents or block}\n"
    after, left = patch_golden(text, [[GoldenEdit("f", "a", (*DOCUMENTS, index), "remove") for index in gone]])
    kept = [{"doc_id": name} for index, name in enumerate("abcd") if index not in gone]
    assert (parse_yaml(after, "").data["cases"][0]["expected"]["documents"], left) == (kept, set())
    assert ",," not in after.replace(" ", "")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_byte_order_mark_stay(ends, mark):
    lines = ["scenario: s", "cases:", "  - id: a", "    expected:", "      documents:", "        - doc_id: old # o"]
    before = mark + ends.join([*lines, "        - doc_id: gone", "  - id: b"])
    edits = [
        renamed("a"),
        GoldenEdit("f", "a", (*DOCUMENTS, 0), "insert", {"doc_id": "x"}),
        GoldenEdit("f", "a", (*DOCUMENTS, 1), "remove"),
    ]
    lines[-1] = lines[-1].replace("old", "new")
    assert edit_golden(before, edits) == mark + ends.join([*lines, "        - {doc_id: x}", "  - id: b"])
