"""Everything that can be wrong with a golden file, each with its whole screen."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEE = "Correct it; docs/authoring.md shows every field"
IN_QUOTES = 'Put it in quotes: "{}"'
GOOD = """\
scenario: aiops_alert
cases:
  - id: a
    query: consumer lag
    expected:
      documents:
        - {doc_id: mq-backlog, section: Metrics}
      evidence:
        keywords: [consumer lag]
"""


def load(folder: Path, **files: str | bytes) -> tuple[int, str]:
    """Run the stage `load` over golden files and return its exit code and its screen."""
    (folder / "data/golden").mkdir(parents=True)
    (folder / "data/corpus").mkdir(parents=True)
    (folder / "data/corpus/mq-backlog.md").write_text(
        "---\ntitle: MQ backlog\ncategory: runbook\nbreadcrumb: [MQ]\nlang: en\nkeywords: []\n---\n"
        "## Metrics\nThe consumer lag rises.\n",
        encoding="utf-8",
    )
    for name, text in files.items():
        data = text if isinstance(text, bytes) else text.encode()
        (folder / f"data/golden/{name}.yaml").write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-m", "stages.load"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.rstrip("\n"),
        GOOD.replace("consumer lag]", '"Consumer-LAG"]'),
        GOOD.replace("id: a", 'id: a\n    lang: no\n    tags: [12:30, "010", yes]'),
    ],
    ids=["plain", "BOM", "CRLF", "no final newline", "quotes", "YAML 1.1 traps are text"],
)
def test_a_good_file_is_loaded_however_it_is_saved(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, golden=text) == (0, "")


@pytest.mark.parametrize(
    ("text", "screen"),
    [
        ("", "1:1: the whole is null, which is no mapping. " + SEE),
        ("NULL\n", "1:1: the whole is NULL, which is no mapping. " + SEE),
        ("- 1\n", "1:1: the whole is [1], which is no mapping. " + SEE),
        ("scenario: x\ncases: []\n", "2:1: cases has no entry. " + SEE),
        ("scenario: x\ncases:\n", "2:1: cases is null, which is no list. " + SEE),
        (GOOD.replace("aiops_alert", "AIOps!"), (
            "1:1: scenario is 'AIOps!', which does not match ^[a-z][a-z0-9_]{0,99}$. " + SEE
        )),
        (GOOD.replace("id: a", "id: ../../etc/passwd"), (
            "3:5: case ../../etc/passwd: id is '../../etc/passwd', "
            "which does not match ^[a-z0-9][a-z0-9_-]{0,99}$. " + SEE
        )),
        (GOOD.replace("id: a", "id: 12"), "3:5: id is 12, which is no text. " + IN_QUOTES.format("12")),
        (GOOD.replace("query: consumer lag", "query: 5"), (
            "4:5: case a: query is 5, which is no text. " + IN_QUOTES.format("5")
        )),
        (GOOD.replace("query: consumer lag", "query: ''"), "4:5: case a: query is empty. " + SEE),
        (GOOD.replace("query: consumer lag", "query: '！？'"), (
            "4:5: case a: the query holds no letter and no digit. Write what the user would ask"
        )),
        (GOOD.replace("query: consumer lag", "query: {metrics: {lag: .nan}}"), (
            "4:23: case a: query.metrics.lag is .nan, which is no text, finite number or truth value. " + SEE
        )),
        (GOOD + "    query: again\n", (
            "10:5: the key 'query' stands twice in one mapping, first on line 4. Keep one of the two"
        )),
        (GOOD + "    notez: x\n", (
            "10:5: case a: notez is no known field. Remove it or correct its name; docs/authoring.md lists the fields"
        )),
        (GOOD.replace("section: Metrics", "relevance: 0.5"), (
            "7:32: case a: expected.documents[1].relevance is 0.5, which is no whole number. " + SEE
        )),
        (GOOD.replace("section: Metrics", "relevance: 4"), (
            "7:32: case a: expected.documents[1].relevance is 4, which is more than 3. " + SEE
        )),
        (GOOD.replace("section: Metrics", "relevance: 0"), (
            "6:7: case a: no expectation has a relevance above 0. Add what should be found, or write `expected: none`"
        )),
        (GOOD.replace("section: Metrics", "label: MQ"), (
            "7:11: case a: the expectation has both doc_id and label. Name the document by exactly one of the two"
        )),
        (GOOD.replace("doc_id: mq-backlog, ", ""), (
            "7:11: case a: the expectation has neither doc_id nor label. Name the document by exactly one of the two"
        )),
        (GOOD.replace("Metrics}", "Metrics}\n        - {doc_id: mq-backlog, section: metrics, relevance: 0}"), (
            "8:11: case a: the same target is labelled twice, with relevance 1 and 0. Keep one label for each target"
        )),
        (GOOD.replace("Metrics}", "Metrics}\n      forbidden: [mq-backlog]"), (
            "8:19: case a: the document 'mq-backlog' is both expected and forbidden. Keep one of the two"
        )),
        (GOOD.replace("[consumer lag]", "['—…']"), (
            "9:20: case a: the keyword '—…' normalises to nothing. Use a keyword with letters or digits"
        )),
        (GOOD.replace("keywords: [consumer lag]", "breadcrumbs: [['/', '…']]"), (
            "9:23: case a: the breadcrumb ['/', '…'] normalises to nothing. Name the path down to the section"
        )),
        (GOOD.replace("keywords: [consumer lag]", "keywords: []"), (
            "8:7: case a: the evidence is empty. Name keywords or breadcrumbs that must be seen in what is found"
        )),
        (GOOD.replace("      evidence:\n        keywords: [consumer lag]\n", ""), (
            "5:5: case a: expected.evidence is missing. Add it; docs/authoring.md shows every field"
        )),
        (GOOD.replace("id: a", "id: a\n   bad"), (
            "4:4: this is no YAML: expected <block end>, but found '<scalar>'. Repair the syntax"
        )),
        (GOOD.replace("consumer lag\n", "'consumer lag\n"), None),
        (GOOD.replace("id: a", "id: !!python/object:os.system a"), None),
        (GOOD + "\0", "10:1: the file holds a NUL byte. Save it as plain UTF-8 text"),
        (GOOD.encode("utf-16"), "1:1: the file is UTF-16. Save it as UTF-8"),
        (GOOD.replace("consumer", "订单").encode("gbk"), "4:12: the byte 0xb6 is not UTF-8. Save the file as UTF-8"),
        (GOOD.replace("consumer", "\x07"), "4:12: the character U+0007 is not allowed in YAML. Remove it"),
        ("[" * 200 + "]" * 200, None),
    ],
)  # fmt: skip
def test_a_faulty_file_gets_its_line(tmp_path: Path, text: str | bytes, screen: str | None) -> None:
    code, said = load(tmp_path, golden=text)
    assert code == 2, said
    assert "Traceback" not in said
    assert said.startswith("data/golden/golden.yaml:")
    assert said.endswith("\n1 problem\n")
    if screen:
        assert said == f"data/golden/golden.yaml:{screen}.\n1 problem\n"


NAMES = {
    "id: a": "3:5: id",
    "doc_id: mq-backlog": "7:12: case a: expected.documents[1].doc_id",
    "section: Metrics": "7:32: case a: expected.documents[1].section",
    "query: consumer lag": "4:5: case a: query",
}


@pytest.mark.parametrize(
    "written", ["0012", "0o14", "0x1F", "1e3", "+5", ".5", "-.inf", "true", "False", "NULL", "Null"]
)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_yaml_takes_for_no_text_is_said_as_written_with_the_quotes_it_lacks(
    tmp_path: Path, name: str, written: str
) -> None:
    code, said = load(tmp_path, golden=GOOD.replace(name, f"{name.partition(':')[0]}: {written}"))
    remedy = IN_QUOTES.format(written)
    assert code == 2
    assert said == f"data/golden/golden.yaml:{NAMES[name]} is {written}, which is no text. {remedy}.\n1 problem\n"


@pytest.mark.parametrize("written", ["2026-01-31", "12-30", "yes", "no", "on", "off", "y", "1_000", "0b11", "'0012'"])
def test_a_name_that_only_yaml_1_1_takes_for_something_else_is_a_text(tmp_path: Path, written: str) -> None:
    text = GOOD.replace("id: a", f"id: {written}\n    tags: [{written}]").replace("]", f", {written}]")
    assert load(tmp_path, golden=text) == (0, "")


def test_a_key_is_the_text_that_is_written(tmp_path: Path) -> None:
    text = GOOD.replace("query: consumer lag", "query: {metrics: {404: 7, 010: 8, null: 9, 1e3: yes}}")
    assert load(tmp_path, golden=text) == (0, "")
    cases = json.loads((tmp_path / "data/build/cases.json").read_text(encoding="utf-8"))["cases"]
    assert cases[0]["query"] == "404=7 010=8 null=9 1e3=yes"


def test_a_set_has_no_order_and_is_refused(tmp_path: Path) -> None:
    said = load(tmp_path, golden=GOOD.replace("[consumer lag]", "!!set {consumer lag, Metrics}"))[1]
    what = "this is no YAML: could not determine a constructor for the tag 'tag:yaml.org,2002:set'"
    assert said == f"data/golden/golden.yaml:9:19: {what}. Repair the syntax.\n1 problem\n"


@pytest.mark.parametrize(("written", "shown"), [("null", "null"), ("~", "~"), ("", "null")])
def test_an_id_that_is_nothing(tmp_path: Path, written: str, shown: str) -> None:
    remedy = IN_QUOTES.format(written) if written == "null" else SEE
    said = load(tmp_path, golden=GOOD.replace("id: a", f"id: {written}"))[1]
    assert said == f"data/golden/golden.yaml:3:5: id is {shown}, which is no text. {remedy}.\n1 problem\n"


@pytest.mark.parametrize("written", ["null", "~", ""])
def test_a_field_that_may_be_left_out_may_be_nothing(tmp_path: Path, written: str) -> None:
    text = GOOD.replace("section: Metrics", f"section: {written}, label: {written}")
    assert load(tmp_path, golden=text) == (0, "")


def test_a_document_that_is_nothing_is_said_to_be(tmp_path: Path) -> None:
    said = load(tmp_path, golden=GOOD.replace("doc_id: mq-backlog", "doc_id: null"))[1]
    assert said == (
        "data/golden/golden.yaml:7:11: case a: doc_id is null: the expectation has neither doc_id nor label. "
        "Name the document by exactly one of the two.\n1 problem\n"
    )


def test_all_problems_of_all_files_are_said_at_once_sorted_by_place(tmp_path: Path) -> None:
    second = GOOD.replace("scenario: aiops_alert", "scenario: chat_lookup")
    code, said = load(
        tmp_path, one=GOOD.replace("query: consumer lag", "query: 5").replace("Metrics}", "5}"), two=second
    )
    assert code == 2
    remedy = IN_QUOTES.format(5)
    assert said == (
        f"data/golden/one.yaml:4:5: case a: query is 5, which is no text. {remedy}.\n"
        f"data/golden/one.yaml:7:32: case a: expected.documents[1].section is 5, which is no text. {remedy}.\n"
        "2 problems\n"
    )


def test_an_id_used_in_two_files_names_the_first(tmp_path: Path) -> None:
    code, said = load(tmp_path, one=GOOD, two=GOOD.replace("query: consumer lag", "query: another"))
    assert code == 2
    assert said == (
        "data/golden/two.yaml:3:5: case a: the id 'a' is used twice, first in data/golden/one.yaml:3. "
        "Give one of the two cases another id.\n1 problem\n"
    )


def test_a_folder_without_golden_files(tmp_path: Path) -> None:
    assert load(tmp_path) == (
        2,
        "data/golden: the folder holds no golden file. Name a golden file (*.yaml) or a folder of them.\n1 problem\n",
    )


def test_a_billion_laughs_ends_at_once(tmp_path: Path) -> None:
    """The bomb is refused while it is counted, long before it is built."""
    lines = ["k0: &k0 [x, x]"] + [f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]" for n in range(1, 40)]
    code, said = load(tmp_path, golden="\n".join(lines))
    assert code == 2
    assert ": aliases expand to too many nodes. Write the data out plainly." in said
