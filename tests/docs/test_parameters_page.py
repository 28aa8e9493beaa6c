"""The ranges and words which parameters.md tells are those of the models."""

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "retrieval-eval/schema/params.schema.json").read_text(encoding="utf-8"))


def rows():
    """Each key with what it takes; `.b` after `a.x` is `a.b`, and what semicolons part belongs to one key each."""
    for line in (DOCS / "parameters.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("| `"):
            continue
        cells = [cell.strip() for cell in line.split(" | ")]
        keys = re.findall(r"`([^`]+)`", cells[0])
        takes = cells[1].split("; ")
        for number, key in enumerate(keys):
            whole = keys[0].rpartition(".")[0] + key if key.startswith(".") else key
            yield whole, takes[number] if len(takes) == len(keys) else cells[1]


def followed(node):
    while "allOf" in node or "$ref" in node:
        reference = node["$ref"] if "$ref" in node else node["allOf"][0]["$ref"]
        node = SCHEMA["definitions"][reference.rpartition("/")[2]]
    return node


def schema_of(key):
    node = SCHEMA
    for part in key.split("."):
        node = followed(node)
        node = node["properties"][part] if part in node.get("properties", {}) else node["additionalProperties"]
    node = followed(node)
    return followed(node["items"]) if "items" in node else node


def told(takes):
    """What a cell says in the schema's words."""
    if "as `" in takes:
        return {}
    found = {}
    if match := re.search(r"(\d+) to (\d+)", takes):
        found |= {"minimum": int(match[1]), "maximum": int(match[2])}
    elif match := re.search(r"from (\d+)", takes):
        found["minimum"] = int(match[1])
    elif match := re.search(r"up to (\d+)", takes):
        found["maximum"] = int(match[1])
    if re.fullmatch(r"(list of )?`\w+`(, `\w+`)+", takes):
        found["enum"] = re.findall(r"`(\w+)`", takes)
    return found


CHECKED = [(key, told(takes)) for key, takes in rows() if told(takes) and "<" not in key]


def test_the_table_is_read():
    assert len(CHECKED) > 15


@pytest.mark.parametrize(("key", "expected"), CHECKED, ids=[key for key, _ in CHECKED])
def test_what_a_parameter_takes_is_told(key, expected):
    schema = schema_of(key)
    assert {name: sorted(schema[name]) if name == "enum" else schema[name] for name in expected} == {
        name: sorted(value) if name == "enum" else value for name, value in expected.items()
    }


def test_every_section_has_a_row():
    shown = {key.partition(".")[0] for key, _ in rows()}
    assert shown >= set(SCHEMA["properties"])
