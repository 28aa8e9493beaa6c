"""What authoring.md and formats.md show is true of the code."""

import re
from pathlib import Path

import yaml

from stages.commands import export_files, import_files
from stages.core.damage import DOCUMENT_KINDS, PATH_KINDS
from stages.core.mutants import REMOVE_ARM
from stages.records.golden import Evidence, Expectation, Expected, GoldenCase, GoldenFile, StructuredQuery
from stages.storage.golden import read_golden

DOCS = Path(__file__).parents[2] / "docs"
AUTHORING = (DOCS / "authoring.md").read_text(encoding="utf-8")
FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")


def first_cells(text, title):
    """Return the code words in the first column of the table below a header cell."""
    table = text[text.index(f"| {title} |") :].split("\n\n")[0].splitlines()[2:]
    return [word for row in table for word in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_the_example_is_a_golden_file(tmp_path):
    example, alert = re.findall(r"```yaml\n(.*?)```", AUTHORING, re.DOTALL)
    (tmp_path / "example.yaml").write_text(example, encoding="utf-8")
    assert [one.case.id for one in read_golden([tmp_path])] == ["mq-added-pods-no-effect"]
    assert StructuredQuery.model_validate(yaml.safe_load(alert)["query"])


def test_every_field_is_explained():
    for model in (GoldenFile, GoldenCase, Expected, Expectation, Evidence, StructuredQuery):
        assert [name for name in model.model_fields if not re.search(rf"[`\s]{name}[`:]", AUTHORING)] == []


def test_every_kind_of_damage_is_explained():
    assert sorted(first_cells(AUTHORING, "damage")) == sorted([*DOCUMENT_KINDS, *PATH_KINDS, REMOVE_ARM])


def test_every_format_is_explained_and_what_it_loses():
    named = first_cells(FORMATS, "format")
    assert sorted(named) == sorted(import_files.HELP)
    table = FORMATS[FORMATS.index("| format |") :].split("\n\n")[0].splitlines()[2:]
    written = {row.split("`")[1] for row in table if row.split("|")[3].strip() == "yes"}
    assert written == set(export_files.FORMATS)
