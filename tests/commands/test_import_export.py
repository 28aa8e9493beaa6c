"""`import` and `export` as programs: files, words and exit codes."""

import json
from pathlib import Path

import pytest

CSV = "id,query,doc_id,section,relevance,keywords\na,积压怎么办,mq,原因,3,lag\nb,q,mq,原因,high,k\nc,q,mq,原因,0,k\n"


def test_what_can_be_used_is_written_and_every_other_row_is_accounted_for(cli, tmp_path):
    (tmp_path / "cases.csv").write_text(CSV, encoding="utf-8")
    done = cli("import", "csv", "cases.csv", "--output", "golden")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "cases.csv:3: case b: relevance is 'high', which is no whole number. Correct the row.",
        (
            "cases.csv:4: case c: no expectation has a relevance above 0. "
            "Add what should be found, or write `expected: none`."
        ),
        "3 rows in, 1 rows used, 2 rows refused, 1 cases, 0 recordings, 0 chunks. Written: golden/cases.yaml.",
    ]
    assert (tmp_path / "golden/cases.yaml").read_text(encoding="utf-8") == (
        "scenario: chat_lookup\n"
        "cases:\n"
        "  - id: a\n"
        '    query: "积压怎么办"\n'
        "    expected:\n"
        "      documents:\n"
        "        - {doc_id: mq, section: 原因, relevance: 3}\n"
        "      evidence:\n"
        "        keywords: [lag]\n"
    )


def test_a_file_names_its_schema_as_it_lies_from_there(cli, tmp_path):
    (tmp_path / "cases.csv").write_text(CSV, encoding="utf-8")
    schema = tmp_path / "docs/retrieval-eval/schema/golden.schema.json"
    schema.parent.mkdir(parents=True)
    schema.write_text("{}", encoding="utf-8")
    for folder in ("golden", "data/golden/imported"):
        cli("import", "csv", "cases.csv", "--output", folder)
        first = (tmp_path / folder / "cases.yaml").read_text(encoding="utf-8").splitlines()[0]
        named = first.removeprefix("# yaml-language-server: $schema=")
        assert (tmp_path / folder / named).resolve() == schema


def test_strict_writes_nothing_when_a_row_is_refused(cli, tmp_path):
    (tmp_path / "cases.csv").write_text(CSV, encoding="utf-8")
    done = cli("import", "csv", "cases.csv", "--output", "golden", "--strict", "--json")
    account = json.loads(done.stdout)
    assert (done.returncode, account["rows_in"], account["rows_refused"], account["files"]) == (2, 3, 2, [])
    assert not (tmp_path / "golden").exists()


def test_an_import_never_overwrites(cli, tmp_path):
    (tmp_path / "cases.csv").write_text(CSV, encoding="utf-8")
    (tmp_path / "cases.yaml").write_text("mine", encoding="utf-8")
    done = cli("import", "csv", "cases.csv", "--output", ".")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-2:] == [
        "cases.yaml: the file is there already, and an import never overwrites. Remove it or name another place.",
        "1 problem",
    ]
    assert (tmp_path / "cases.yaml").read_text(encoding="utf-8") == "mine"


def test_rankings_and_the_corpus_are_written_where_asked(cli, tmp_path):
    row = {"id": "a", "user_input": "q", "reference_context_ids": ["d"], "reference_contexts": ["text"]}
    (tmp_path / "r.json").write_text(json.dumps([{**row, "retrieved_context_ids": ["d"]}]), encoding="utf-8")
    done = cli("import", "ragas", "r.json", "--output", "golden", "--fixtures", "fixtures")
    assert done.stderr.splitlines()[-1].endswith("Written: golden/r.yaml, fixtures/recordings.jsonl.")
    assert json.loads((tmp_path / "fixtures/recordings.jsonl").read_text(encoding="utf-8"))["case_id"] == "a"


def test_rankings_that_are_there_are_not_overwritten_either(cli, tmp_path):
    row = {"id": "a", "user_input": "q", "reference_context_ids": ["d"], "reference_contexts": ["text"]}
    (tmp_path / "r.json").write_text(json.dumps([{**row, "retrieved_context_ids": ["d"]}]), encoding="utf-8")
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures/recordings.jsonl").write_text("mine", encoding="utf-8")
    done = cli("import", "ragas", "r.json", "--output", "golden", "--fixtures", "fixtures")
    assert (done.returncode, (tmp_path / "golden").exists()) == (2, False)
    assert (tmp_path / "fixtures/recordings.jsonl").read_text(encoding="utf-8") == "mine"


def test_a_scenario_cannot_lead_out_of_the_folder(cli, tmp_path):
    (tmp_path / "c.csv").write_text("id,scenario,query,doc_id\na,../../x,q,\nb,chat,r,\n", encoding="utf-8")
    done = cli("import", "csv", "c.csv", "--output", "golden")
    assert done.stderr.splitlines()[0] == (
        "c.csv:2: case a: the scenario '../../x' is no name of small letters, digits and underscores. "
        "Write chat_lookup, aiops_alert, or a name of your own."
    )
    assert [path.name for path in tmp_path.rglob("*.yaml")] == ["c.yaml"]


def test_an_export_says_what_it_lost(cli, tmp_path):
    (tmp_path / "cases.csv").write_text(CSV, encoding="utf-8")
    cli("import", "csv", "cases.csv", "--output", "golden")
    done = cli("export", "runbook", "out.json", "--golden", "golden")
    assert (done.returncode, done.stderr) == (
        0,
        "case a: evidence has no form there.\n1 cases read, 1 losses. Written: out.json.\n",
    )
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == [
        {
            "caseId": "a",
            "scenarioCode": "chat_lookup",
            "query": "积压怎么办",
            "expected": [{"docId": "mq", "section": "原因", "grade": 3}],
        }
    ]


STRUCTURED = """\
scenario: aiops_alert
cases:
  - id: lag-{number}
    query: {{rule_result: lag high, metrics: {{consumer_lag: 128000}}}}
    expected:
      documents: [{{doc_id: mq}}]
      evidence: {{keywords: [lag]}}
"""


@pytest.mark.parametrize(("name", "queries"), [("trec", "queries.tsv"), ("beir", "queries.jsonl")])
def test_a_structured_query_is_exported_as_the_text_that_is_sent(cli, tmp_path, name, queries):
    """No case is lost for its query, and what five cases have in common is said once."""
    (tmp_path / "golden").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"doc_id": "mq", "content": "lag"}\n', encoding="utf-8")
    for number in range(5):
        (tmp_path / f"golden/{number}.yaml").write_text(STRUCTURED.format(number=number), encoding="utf-8")
    done = cli("export", name, "out", "--golden", "golden", "--corpus", "corpus.jsonl")
    texts = (tmp_path / "out" / queries).read_text(encoding="utf-8").splitlines()
    assert [text.count("lag high consumer_lag=128000") for text in texts] == [1] * 5
    assert done.stderr.splitlines() == [
        "5 cases (lag-0, lag-1, lag-2 and 2 more): a structured query is written as the text that is sent.",
        "5 cases (lag-0, lag-1, lag-2 and 2 more): evidence has no form there.",
        "5 cases read, 10 losses. Written: out.",
    ]


def test_a_case_of_several_lines_that_load_would_refuse_is_told_with_its_line_and_counted_whole(cli, tmp_path):
    head, twice = CSV.partition("\n")[0], "a,q,mq,原因,1,k\na,,db,慢,1,\na,,mq,原因,2,"
    (tmp_path / "cases.csv").write_text(f"{head}\n{twice}\nb,q,mq,原因,1,k\n", encoding="utf-8")
    done = cli("import", "csv", "cases.csv", "--output", "golden")
    assert done.stderr.splitlines() == [
        ("cases.csv:2: case a: lines 2, 3 go with line 4, since a case is taken whole or not at all. Mend line 4."),
        (
            "cases.csv:4: case a: the same target is labelled twice, with relevance 1 and 2. "
            "Keep one label for each target."
        ),
        "4 rows in, 1 rows used, 3 rows refused, 1 cases, 0 recordings, 0 chunks. Written: golden/cases.yaml.",
    ]


@pytest.mark.parametrize(
    ("name", "text"), [("csv", "id,query,doc_id\n"), ("ragas", "[]"), ("knowledge-base", "[]"), ("runbook", "[]")]
)
def test_a_file_without_a_row_is_said(cli, tmp_path, name, text):
    (tmp_path / "empty").write_text(text, encoding="utf-8")
    done = cli("import", name, "empty", "--output", "golden")
    assert (done.returncode, done.stderr) == (
        2,
        "empty: the file holds no row. Check the name and the format.\n1 problem\n",
    )


def test_rankings_and_a_corpus_that_nobody_asked_to_write_are_said(cli, tmp_path):
    data = {"queries": {"a": "q"}, "corpus": {"n": "text of the node"}, "relevant_docs": {"a": ["n"]}}
    (tmp_path / "l.json").write_text(json.dumps(data), encoding="utf-8")
    done = cli("import", "llamaindex", "l.json", "--output", "golden")
    assert done.stderr.splitlines() == [
        "1 chunks are not written: --corpus-output says where to.",
        "1 rows in, 1 rows used, 0 rows refused, 1 cases, 0 recordings, 1 chunks. Written: golden/l.yaml.",
    ]
    row = {"user_input": "q", "reference_context_ids": ["d"], "retrieved_context_ids": ["d"]}
    rows = [{**row, "id": "a"}, {**row, "id": "b", "user_input": "?"}]
    (tmp_path / "r.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    done = cli("import", "ragas", "r.json", "--output", "golden", "--fixtures", "fixtures", "--json")
    account = json.loads(done.stdout)
    assert (account["cases"], account["recordings"]) == (1, 1)
    assert account["refused"] == [
        "r.json:12: case b: the query holds no letter and no digit. Write what the user would ask."
    ]


WHOLE = (
    "Nothing is imported: the files of trec and beir are taken whole or not at all, since a judgment or a ranking that "
    "lacks a row means something else."
)


@pytest.mark.parametrize(
    ("name", "files", "problem"),
    [
        (
            "trec",
            {"qrels.txt": "q1 0 a 1\nq2 0 b x\n"},
            (
                "in/qrels.txt:2:8: the grade 'x' is not an integer. "
                "Grades are whole numbers: 0 and below is not relevant, 1 and above is."
            ),
        ),
        (
            "beir",
            {"qrels/test.tsv": "q1\ta\t1\nq3\n", "queries.jsonl": '{"_id": "q1", "text": "q"}\n'},
            "in/qrels/test.tsv:2: the row has 1 column: 'q3'. Write query, document and grade, parted by tabs.",
        ),
    ],
)
def test_judgments_are_taken_whole_or_not_at_all_and_that_is_said(cli, tmp_path, name, files, problem):
    for file, text in files.items():
        (tmp_path / "in" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / file).write_text(text, encoding="utf-8")
    done = cli("import", name, "in", "--output", "golden")
    assert (done.returncode, done.stderr.splitlines()) == (2, [WHOLE, problem, "1 problem"])
    assert not (tmp_path / "golden").exists()
    assert "taken whole or not" in cli("import", "--help").stdout


def test_a_data_set_that_is_not_there_has_no_rows_to_speak_of(cli):
    done = cli("import", "beir", "nowhere")
    assert done.stderr == "nowhere: there is no such folder. Name the folder of the data set.\n1 problem\n"


def metrics(done):
    """The means that `evaluate` prints, with their n; and how many cases did not run."""
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if "(n " in line]
    return {name: (value, count) for name, value, _, count in rows}


def shipped(name):
    return str(Path(__file__).parents[2] / "data" / name)


@pytest.mark.parametrize("grain", ["document", "section"])
def test_shipped_rankings_survive_the_way_through_trec_files(cli, grain):
    """Every judged case runs, and the means are those of before.

    By document, where a ranking names each document once and may so be shorter than topK, they are those of the files.
    """
    ours = ["--golden", shipped("golden"), "--fixtures", shipped("fixtures/baseline")]
    assert cli("export", "trec", "out", "--grain", grain, *ours).returncode == 0
    cli("import", "trec", "out", "--corpus", shipped("corpus"), "--output", "golden", "--fixtures", "fixtures")
    found = metrics(cli("evaluate", "--golden", "golden", "--fixtures", "fixtures", "--grain", grain))
    if grain == "section":
        assert found == metrics(cli("evaluate", *ours, "--grain", grain))
        return
    names = {"recall_at_k": "recall@5", "precision_at_k": "precision@5", "hit_at_k": "hit@5", "mrr": "rr@5"}
    asked = [f"-m{name}" for name in names.values()]
    files = json.loads(cli("trec", "out/qrels.txt", "out/run.txt", "--json", *asked).stdout)
    assert {name: found[name] for name in names} == {
        name: (f"{files['mean'][theirs]:.3f}", f"{files['counts']['queries']})") for name, theirs in names.items()
    }
