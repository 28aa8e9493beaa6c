"""Edits to golden files: the data changes as asked, and nothing else of the text does."""

import copy
import difflib
import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.records.golden_edit import GoldenEdit
from stages.records.problem import InputError
from stages.storage.golden_editor import edit_golden
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


def test_what_stands_behind_an_alias_is_left_to_a_person():
    text = """\
cases:
  - id: a
    expected:
      documents: &both [{doc_id: old}]
  - id: b
    expected:
      documents: *both
"""
    edit = GoldenEdit("f.yaml", "b", (*DOCUMENTS, 0, "doc_id"), "replace", "new")
    with pytest.raises(InputError) as caught:
        edit_golden(text, [edit])
    assert str(caught.value) == (
        "f.yaml:5: case b: the place to change stands behind an alias, and others use it too. "
        "Write it out, or change it by hand."
    )
