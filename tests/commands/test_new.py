"""`new` as a program: what it shows, asks, refuses and writes."""

import pytest

from stages.storage.golden import read_golden

BM25 = """
bm25:
  k1: 1.2
  b: 0.75
  depth: 50
  identifier_parts: true
  index_fields: [title, breadcrumb, section, body, keywords]
milvus:
  uri: data/build/milvus.db
  token_env: null
  collection: c
  when_stale: rebuild
  search: dense
  filter: ""
  depth: 30
  timeout_s: 10
  index_fields: [title, body]
embedder:
  threads: 1
  http: null
hybrid:
  method: rrf
  rrf_k: 60
  depth: 30
  weights: {bm25: 1.0, milvus: 1.0}
rerank: {enabled: false, window: 20, heading: 0.2, identifier: 0.2, intent: 0.1}
"""


@pytest.fixture
def project(small_project):
    path = small_project / "params.yaml"
    path.write_text(path.read_text(encoding="utf-8") + BM25, encoding="utf-8")
    (small_project / "data/corpus/mq.md").write_text(
        "---\ntitle: mq\nbreadcrumb: [mq]\n---\n## 原因\n消费者变慢\n## 步骤\n先扩容\n", encoding="utf-8"
    )
    return small_project


def test_it_shows_what_is_found_and_what_else_is_there_and_writes_what_is_answered(project, cli):
    done = cli("new", "消费者为什么变慢", "--lang", "zh", input="2=3 9\n1=3 2\n变慢，消费者\nslow-consumer\n")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        "Found:",
        "   1  mq # 原因  (bm25 1)",
        "      消费者变慢",
        "Other sections of these documents:",
        "   2  mq # 步骤",
        "      先扩容",
        "written to data/golden/chat_lookup.yaml; record it: retrieval-eval capture baseline --case slow-consumer",
    ]
    assert "  '2=3 9' is no answer: numbers from 1 to 2, grades from 0 to 3\n" in done.stdout
    assert done.stdout.endswith(
        "  - id: slow-consumer\n"
        '    query: "消费者为什么变慢"\n'
        "    lang: zh\n"
        "    expected:\n"
        "      documents:\n"
        "        - {doc_id: mq, section: 原因, relevance: 3}\n"
        "        - {doc_id: mq, section: 步骤}\n"
        "      evidence:\n"
        "        keywords: [变慢, 消费者]\n"
    )
    written = read_golden([project / "data/golden/chat_lookup.yaml"])
    assert [(one.case.id, one.scenario) for one in written] == [("slow-consumer", "chat_lookup")]
    assert cli("check").returncode == 0


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_without_a_terminal_everything_can_be_said_at_once_and_the_file_keeps_its_layout(project, cli, ends):
    path = project / "data/golden/mine.yaml"
    before = "scenario: s   # mine\ncases:\n# the first\n- id: first\n  query: x\n  expected: none   # nothing\n"
    path.write_bytes(before.replace("\n", ends).encode())
    arguments = ("--scenario", "s", "--file", "data/golden/mine.yaml", "--expect", "mq#原因=2", "--tag", "short")
    done = cli("new", "Slow consumer?", *arguments)
    assert done.returncode == 0, done.stderr
    after = before + (
        "- id: slow-consumer\n"
        '  query: "Slow consumer?"\n'
        "  expected:\n"
        "    documents:\n"
        "      - {doc_id: mq, section: 原因, relevance: 2}\n"
        "    evidence:\n"
        "      breadcrumbs: [[mq, 原因]]\n"
        "  tags: [short]\n"
    )
    assert path.read_bytes().decode() == after.replace("\n", ends)


def test_a_question_without_an_answer(project, cli):
    assert cli("new", "weather?", "--none").returncode == 0
    text = (project / "data/golden/chat_lookup.yaml").read_text(encoding="utf-8")
    assert text.endswith('  - id: weather\n    query: "weather?"\n    expected: none\n')


REFUSED = [
    (
        ("q", "--id", "found", "--expect", "mq#原因"),
        [
            "new case:1:1: case found: the id is used already, in data/golden/a.yaml. Give another --id.",
            (
                "new case:1:1: case found: the query 'q' is the same query as case found in data/golden/a.yaml:4. "
                "Delete one of the two, or let them ask different things."
            ),
            "2 problems",
        ],
    ),
    (
        ("new one", "--expect", "nope#没有", "--keyword", "变慢"),
        [
            (
                "new case:1:1: case new-one: the document 'nope' is not in the corpus. "
                "Label what answers the question now, or remove the label."
            ),
            "1 problem",
        ],
    ),
    (
        ("new one", "--expect", "mq#原因=7"),
        ["command line: --expect 'mq#原因=7' is no label. Write DOC#SECTION=GRADE.", "1 problem"],
    ),
    (
        ("为什么", "--expect", "mq#原因"),
        ["new case:1: the question gives no id. Give --id: small letters, digits, dashes.", "1 problem"],
    ),
    (
        ("new one", "--expect", "mq#原因", "--file", "data/golden/a.yaml"),
        [
            (
                "data/golden/a.yaml:1: case new-one: the file is of the scenario 's', the case of 'chat_lookup'. "
                "Give another --file, or --scenario."
            ),
            "1 problem",
        ],
    ),
    (
        ("new one", "--expect", "mq#原因", "--scenario", "../x"),
        [
            (
                "new case:1: case new-one: the scenario '../x' is no name of small letters, digits and underscores. "
                "Write chat_lookup, aiops_alert, or a name of your own."
            ),
            "1 problem",
        ],
    ),
    (
        ("new one", "--retrievers", "faiss"),
        ["command line: there is no retriever 'faiss'. Name bm25, milvus or hybrid.", "1 problem"],
    ),
]


@pytest.mark.parametrize(("arguments", "lines"), REFUSED)
def test_what_check_would_refuse_is_never_written(project, cli, arguments, lines):
    before = {path: path.read_bytes() for path in (project / "data/golden").iterdir()}
    done = cli("new", *arguments, input="")
    assert (done.returncode, done.stderr.splitlines()) == (2, lines)
    assert {path: path.read_bytes() for path in (project / "data/golden").iterdir()} == before


@pytest.mark.usefixtures("project")
def test_answers_that_end_too_soon_write_nothing(cli):
    done = cli("new", "消费者为什么变慢", input="1\n")
    assert (done.returncode, done.stderr.splitlines()[-2]) == (
        2,
        "new case: the answers ended before the case was complete. Answer, or give --expect, --none and --id.",
    )
