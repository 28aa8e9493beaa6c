"""`retrieval-eval trec` against trec_eval's own data, its printed values, and the odd cases of the field."""

import gzip
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PAIRS = [
    ("qrels.test", "results.test", ["-q", "-m", "all_trec"], "out.test.aq"),
    ("qrels.rel_level", "results.test", ["-q", "-m", "all_trec", "-l", "2"], "out.test.aql"),
    ("qrels.test", "results.trunc", ["-q", "-m", "all_trec", "-c"], "out.test.aqc"),
    ("qrels.test", "results.test", ["-m", "all_trec"], "out.test.a"),
    ("qrels.test", "results.test", [], "out.test"),
    ("qrels.comment.test", "results.comment.test", [], "out.comment.test"),
    ("qrels.test.with-comments", "results.test", [], "out.test"),
]


def rows(text):
    """Printed rows as a set; the string of the first grades is no number, and the command does not print it."""
    return {tuple(map(str.strip, line.split("\t"))) for line in text.splitlines() if not line.startswith("relstring")}


@pytest.mark.parametrize(("qrels", "run", "options", "expected"), PAIRS, ids=str)
def test_prints_what_trec_eval_prints(cli, shared, qrels, run, options, expected):
    """Every value of every measure, to the digit."""
    folder = shared / "reference/trec/trec_eval"
    done = cli("trec", str(folder / qrels), str(folder / run), *options)
    assert done.returncode == 0
    assert rows(done.stdout) == rows((folder / expected).read_text())


def test_parameters_of_measures_are_taken_as_trec_eval_takes_them(cli, shared):
    """`P.3,5,7` and the like, against trec_eval's file for them; gains of its own choosing are not offered."""
    folder = shared / "reference/trec/trec_eval"
    names = ["iprec_at_recall..10,.20,.25,.75,.50", "P.5,7,3", "recall.20,2000", "Rprec_mult.0.2,5.0,.35"]
    names += ["ndcg_cut.10,20,23", "success.2,5,20"]
    done = cli("trec", str(folder / "qrels.test"), str(folder / "results.test"), "-q", *(f"-m{name}" for name in names))
    expected = (folder / "out.test.meas_params").read_text()
    not_offered = ("utility_", "11pt_avg_", "ndcg_1=")
    assert rows(done.stdout) == {row for row in rows(expected) if not row[0].startswith(not_offered)}


def test_a_mean_is_added_up_as_trec_eval_does_to_the_last_digit(cli, tmp_path):
    """Eight queries whose P@20 is 0.49375 on average: trec_eval 9.0.4 prints 0.4937, an exact sum would give 0.4938."""
    relevant = dict(enumerate((10, 9, 20, 11, 6, 17, 3, 3)))
    judged = [f"q{query} 0 d{rank} 1\n" for query, count in relevant.items() for rank in range(count)]
    ranked = [f"q{query} Q0 d{rank} {rank} {20 - rank} x\n" for query in relevant for rank in range(20)]
    (tmp_path / "qrels").write_text("".join(judged))
    (tmp_path / "run").write_text("".join(ranked))
    done = cli("trec", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "P.20")
    assert rows(done.stdout) == {("P_20", "all", "0.4937")}


# What version 9, the last that is packaged anywhere, has not or has otherwise; docs/metrics.md has the reasons.
OTHERWISE_IN_9 = ("iprec_at_recall", "11pt_avg", "rbp", "unj_")


@pytest.mark.skipif(not shutil.which("trec_eval"), reason="trec_eval itself is not on the PATH")
@pytest.mark.parametrize("options", [[], ["-c"], ["-l2"]], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_prints_what_the_program_trec_eval_prints(cli, tmp_path, seed, options):
    generator = random.Random(seed)
    judged, ranked = [], []
    for query in range(20):
        for document in range(generator.randint(1, 60)):
            if generator.random() < 0.5 or not document:
                judged.append(f"q{query} 0 d{document} {generator.choice([-1, 0, 0, 1, 1, 2, 3])}\n")
            if generator.random() < 0.8 or not document:
                score = generator.choice([generator.random(), generator.randint(0, 3)])
                ranked.append(f"q{query} Q0 d{document} {document} {score:.4f} x\n")
    (tmp_path / "qrels").write_text("".join(judged))
    (tmp_path / "run").write_text("".join(ranked))
    files, asked = ["qrels", "run"], ["-q", "-m", "all_trec", *options]
    theirs = subprocess.run(["trec_eval", *asked, *files], cwd=tmp_path, capture_output=True, text=True, check=True)

    def common(text):
        return {row for row in rows(text) if not row[0].startswith(OTHERWISE_IN_9)}

    assert common(cli("trec", *asked, *files).stdout) == common(theirs.stdout)


def test_equals_the_full_precision_values(cli, shared):
    """Every value that pytrec_eval-terrier gives, to 1e-9."""
    folder = shared / "reference/trec"
    pairs = json.loads((folder / "derived/pytrec_eval_terrier_0.5.11_fullprecision.json").read_text())
    compared = 0
    for pair in pairs.values():
        files = [str(folder / "trec_eval" / pair[side]) for side in ("qrels", "run")]
        level = ["-l", str(pair["relevance_level"])]
        done = cli("trec", *files, *level, "--json", "-m", "all_trec")
        values = json.loads(done.stdout)["per_query"]
        for query, expected in pair["per_query"].items():
            got = {name: values[query][name] for name in expected}
            assert got == pytest.approx(expected, abs=1e-9)
            compared += len(expected)
    assert compared > 1900


NAMES = {"map": "map", "recip_rank": "recip_rank", "P_10": "P_10", "recall_10": "recall_10"}
NAMES |= {name: name for name in ("ndcg_cut_10", "map_cut_10", "success_10")}
# What we refuse although a tool answers, and what trec_eval 10.0 has wrong or differently; the reason is the note's.
REFUSED = {
    "duplicate_doc_in_run": "run.txt:3: document 'a' was ranked for query 'q1' already, in line 2.",
    "duplicate_qrel_same": (
        "qrels.txt:2: document 'a' was judged for query 'q1' already, with the same grade, in line 1."
    ),
    "duplicate_qrel_conflict": (
        "qrels.txt:2: document 'a' was judged for query 'q1' already, with grade 1 and not 0, in line 1."
    ),
    "nan_score": "run.txt:1:11: the score 'nan' has no place in an order.",
    "text_score": "run.txt:1:11: the score 'abc' is not a number.",
    "float_relevance": "qrels.txt:1:8: the grade '0.9' is not an integer.",
    "five_columns_in_run": "run.txt:1: the row has 5 columns: 'q1 Q0 a 1 2.5'.",
    "blank_line_end_of_qrels": "qrels.txt:2: the line is empty.",
    "hash_first_in_qid": "qrels.txt: the file holds no judgments: 1 of its 1 lines begin with # and are comments.",
}
RIGHT = {"bom_in_qrels": 1.0, "bom_in_run": 1.0, "crlf_both": 1.0, "query_missing_in_run": 1.0}


def edge_cases(shared):
    return json.loads((shared / "reference/trec/derived/edge_cases_observed.json").read_text())


def write_pair(folder, case):
    for name in ("qrels", "run"):
        (folder / f"{name}.txt").write_bytes(case[name].encode())
    return "qrels.txt", "run.txt"


def test_each_of_the_33_edge_cases_is_refused_with_its_place_or_equals_trec_eval_10(cli, shared, tmp_path):
    cases = edge_cases(shared)
    assert len(cases) == 33
    for case in cases:
        done = cli("trec", *write_pair(tmp_path, case), "--json", *(f"-m{name}" for name in NAMES))
        name = case["name"]
        if name in REFUSED:
            assert (name, done.returncode) == (name, 2)
            assert done.stderr.startswith(REFUSED[name]), name
            continue
        assert (name, done.returncode) == (name, 0), done.stderr
        mean = json.loads(done.stdout)["mean"]
        if name in RIGHT:
            assert mean["recip_rank"] == RIGHT[name], name
            continue
        expected = case["trec_eval_10"]["values"]["all"]
        assert {key: f"{mean[key]:.4f}" for key in NAMES} == {key: f"{expected[key]:.4f}" for key in NAMES}, name


def test_a_query_missing_in_the_run_is_left_out_said_and_counted_as_0_when_asked(cli, tmp_path):
    """trec_eval 10.0 crashes on this one without -c."""
    files = write_pair(tmp_path, {"qrels": "q1 0 a 1\nq2 0 a 1\n", "run": "q1 Q0 a 1 1 r\n"})
    assert cli("trec", *files, "-m", "recip_rank").stderr == (
        "run: 1 rows read, 1 used; judgments: 2 read, 1 used; queries scored: 1.\n"
        "Judged without a row in the run, and left out (-c scores them 0): 1 (q2).\n"
    )
    assert cli("trec", *files, "-m", "recip_rank", "-c").stdout == "recip_rank            \tall\t0.5000\n"


def test_an_id_spelt_with_other_bytes_is_pointed_out(cli, tmp_path):
    """NFC and NFD of one name do not match, and look as if they did."""
    files = write_pair(tmp_path, {"qrels": "q1 0 caf\u00e9 1\n", "run": "q1 Q0 cafe\u0301 1 2.5 r\n"})
    done = cli("trec", *files, "-m", "recip_rank")
    assert done.stdout.endswith("0.0000\n")
    assert "looks like a judged id and is spelt with other bytes; they do not match" in done.stderr


def test_json_gives_both_names_of_a_value_and_accounts_for_every_row(cli, tmp_path):
    qrels = "# judged by two people\nq1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 z 0\n"
    run = "q1 Q0 x 1 2 r\nq1 Q0 a 2 1 r\nq3 Q0 a 1 1 r more\nq9 Q0 a 1 1 r\n"
    done = cli("trec", *write_pair(tmp_path, {"qrels": qrels, "run": run}), "--json", "-m", "P_2", "-m", "judged@2")
    assert json.loads(done.stdout) == {
        "per_query": {
            "q1": {"P_2": 0.5, "precision@2": 0.5, "judged@2": 0.5},
            "q3": {"P_2": 0.0, "precision@2": 0.0, "judged@2": 0.0},
        },
        "mean": {"P_2": 0.25, "precision@2": 0.25, "judged@2": 0.25},
        "counts": {
            "queries": 2,
            "queries_without_judgments": 1,
            "queries_without_rows": 1,
            "queries_without_relevant": 1,
            "run_rows_read": 4,
            "run_rows_used": 3,
            "judgments_read": 4,
            "judgments_used": 3,
            "comment_lines": 1,
            "rows_with_extra_columns": 1,
            "values": {"P_2": 2, "precision@2": 2, "judged@2": 2},
        },
    }
    assert done.stderr == (
        "run: 4 rows read, 3 used; judgments: 4 read, 3 used; queries scored: 2.\n"
        "In the run without judgments, and left out: 1 (q9).\n"
        "Judged without a row in the run, and left out (-c scores them 0): 1 (q2).\n"
        "Without a relevant document, and scored 0 as trec_eval does: 1 (q3).\n"
        "1 rows of the run have more than six columns; the others are ignored.\n"
        "1 lines begin with # and are comments.\n"
    )


def test_rows_in_any_order_plain_or_gzip_give_the_same_bytes(cli, shared, tmp_path):
    folder = shared / "reference/trec/trec_eval"
    qrels, run = ((folder / name).read_text() for name in ("qrels.test", "results.test"))
    lines = run.splitlines(keepends=True)
    random.Random(5).shuffle(lines)
    (tmp_path / "shuffled").write_text("".join(lines))
    (tmp_path / "grouped.gz").write_bytes(gzip.compress("".join(sorted(lines)).encode()))
    (tmp_path / "qrels.gz").write_bytes(gzip.compress(qrels.encode()))
    answers = {
        cli("trec", str(tmp_path / "qrels.gz"), str(tmp_path / name), "--json", "-m", "all_trec").stdout
        for name in ("shuffled", "grouped.gz")
    }
    assert len(answers) == 1
    assert len(json.loads(answers.pop())["per_query"]) == 3


def test_the_recorded_order_can_be_asked_for(cli, tmp_path):
    files = write_pair(tmp_path, {"qrels": "q1 0 a 1\n", "run": "q1 Q0 b 2 9 r\nq1 Q0 a 1 1 r\n"})
    assert cli("trec", *files, "-mrr", "--order", "rank").stdout == "rr                    \tall\t1.0000\n"
    assert cli("trec", *files, "-mrr").stdout == "rr                    \tall\t0.5000\n"


def test_a_recorded_order_must_be_one(cli, tmp_path):
    run = "q1 Q0 b 1 9 r\nq1 Q0 a 1 1 r\nq1 Q0 c one 1 r\n"
    done = cli("trec", *write_pair(tmp_path, {"qrels": "q1 0 a 1\n", "run": run}), "--order", "rank")
    assert done.returncode == 2
    assert done.stderr == (
        "run.txt:2: rank 1 of query 'q1' was given already, in line 1. Number the rows, or leave out --order rank.\n"
        "run.txt:3:9: the rank 'one' is not an integer. Number the rows.\n"
        "2 problems\n"
    )


def test_ties_show_what_depends_on_the_order_of_equal_scores(cli, tmp_path):
    run = "q1 Q0 a 1 1.0 r\nq1 Q0 b 2 1.0 r\nq2 Q0 a 1 2 r\nq2 Q0 b 2 1 r\n"
    files = write_pair(tmp_path, {"qrels": "q1 0 a 1\nq2 0 a 1\n", "run": run})
    done = cli("trec", *files, "--ties", "-mrr", "-mP_2", "-mP_1")
    assert done.stdout.splitlines()[3:] == [
        "rr                    \tq1\t0.5000..1.0000",
        "P_1                   \tq1\t0.0000..1.0000",
    ]
    ties = json.loads(cli("trec", *files, "--ties", "-mrr", "--json").stdout)["ties"]
    assert ties == {"q1": {"rr": {"min": 0.5, "max": 1.0}}}


def test_two_runs_are_compared_query_by_query(cli, tmp_path):
    qrels = "".join(f"q{number} 0 a 1\n" for number in range(6))
    before = "".join(f"q{number} Q0 a 1 2 r\nq{number} Q0 b 2 1 r\n" for number in range(6))
    after = "".join(f"q{number} Q0 b 1 2 r\nq{number} Q0 a 2 1 r\n" for number in range(5)) + "q5 Q0 a 1 1 r\n"
    files = write_pair(tmp_path, {"qrels": qrels, "run": after})
    (tmp_path / "before.txt").write_text(before)
    done = cli("trec", *files, "--against", "before.txt", "-m", "rr", "-m", "recall@5")
    assert done.stdout == (
        "measure               \tmean diff\twins\tties\tlosses\tp sign\tp random\tp Holm\t95% interval\n"
        "rr                    \t-0.4167\t0\t1\t5\t0.0625\t0.0625\t0.1250\t-0.5000..-0.2500\n"
        "recall@5              \t+0.0000\t0\t6\t0\t1.0000\t1.0000\t1.0000\t+0.0000..+0.0000\n"
        "6 cases: a pure loss of fewer than 5 cases cannot be told from chance. Interval: percentile bootstrap over "
        "6 cases, 95%, 10000 resamples, seed 0. p random: exact.\n"
    )
    data = json.loads(cli("trec", *files, "--against", "before.txt", "-m", "rr", "--json").stdout)["comparison"]["rr"]
    assert data["losses"] == ["q0", "q1", "q2", "q3", "q4"]
    assert data["sign_test"] == {"p_one_sided": 1 / 32, "p_two_sided": 1 / 16}


def test_files_without_a_query_in_common_are_an_error_and_no_zero(cli, tmp_path):
    done = cli("trec", *write_pair(tmp_path, {"qrels": "q1 0 a 1\n", "run": "1 Q0 a 1 1 r\n"}))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "run.txt: no query of the run is judged in qrels.txt: 1 (1). Check that both files use the same query ids.\n"
        "1 problem\n"
    )


def test_an_unknown_measure_is_named(cli, tmp_path):
    done = cli("trec", *write_pair(tmp_path, {"qrels": "q1 0 a 1\n", "run": "q1 Q0 a 1 1 r\n"}), "-m", "P_0")
    assert done.returncode == 2
    assert done.stderr.startswith("-m: 'P_0' is no measure; known are hit, recall, ")


def test_nothing_heavy_is_imported(tmp_path):
    """A small file is scored before numpy or pydantic would have been loaded."""
    files = write_pair(tmp_path, {"qrels": "q1 0 a 1\n", "run": "q1 Q0 a 1 1 r\n"})
    code = "import sys; sys.argv[1:] = ['trec', *sys.argv[1:]]; from stages.__main__ import main; main(); "
    code += "print(sorted({'numpy', 'pydantic', 'pandas', 'yaml', 'jinja2'} & set(sys.modules)))"
    command = [sys.executable, "-c", code, *(str(tmp_path / name) for name in files), "-mrr"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_comparison_prints_each_query_where_asked(cli, tmp_path):
    """A query that one run lacks has no value there, and no difference."""
    files = write_pair(tmp_path, {"qrels": "q1 0 a 1\nq2 0 a 1\n", "run": "q1 Q0 b 1 2 r\nq1 Q0 a 2 1 r\n"})
    (tmp_path / "before.txt").write_text("q1 Q0 a 1 2 r\nq2 Q0 a 1 1 r\n")
    asked = ["trec", *files, "--against", "before.txt", "-m", "rr", "-q"]
    assert cli(*asked).stdout.splitlines()[:4] == [
        "measure               \tquery\tbefore\tafter\tdifference",
        "rr                    \tq1\t1.0000\t0.5000\t-0.5000",
        "rr                    \tq2\t1.0000\t-\t-",
        "measure               \tmean diff\twins\tties\tlosses\tp sign\tp random\tp Holm\t95% interval",
    ]
    assert json.loads(cli(*asked, "--json").stdout)["per_query"] == {
        "q1": {"rr": {"before": 1.0, "after": 0.5, "difference": -0.5}},
        "q2": {"rr": {"before": 1.0, "after": None, "difference": None}},
    }


def test_ties_are_not_silently_left_out_of_a_comparison(cli):
    done = cli("trec", "qrels", "run", "--against", "before", "--ties")
    assert (done.returncode, "not allowed with argument --against" in done.stderr) == (2, True)


def test_the_name_of_the_run_can_be_asked_for_as_trec_eval_prints_it(cli, tmp_path):
    files = write_pair(tmp_path, {"qrels": "q1 0 a 1\n", "run": "q1 Q0 a 1 1 mine\n"})
    assert cli("trec", *files, "-m", "runid").stdout == "runid                 \tall\tmine\n"
    assert json.loads(cli("trec", *files, "-m", "runid", "--json").stdout)["runid"] == "mine"


def test_every_unknown_measure_is_named_together_with_what_is_wrong_with_each_file(cli, tmp_path):
    files = write_pair(tmp_path, {"qrels": "q1 0 a x\n", "run": "q1 Q0 a 1 1 r\nq1 Q0\n"})
    (tmp_path / "before.txt").write_text("q1 Q0 a 1 2 r\nq1 Q0 a 2 1 r\n")
    names = ["-mP.a", "-mmap", "-mnope", "-mndcg_cut.x"]
    done = cli("trec", *files, "--against", "before.txt", *names)
    assert done.returncode == 2
    told = [line.split(";")[0] for line in done.stderr.splitlines()]
    files_told = [
        "before.txt:2: document 'a' was ranked for query 'q1' already, in line 1. Remove one of the rows.",
        (
            "qrels.txt:1:8: the grade 'x' is not an integer. "
            "Grades are whole numbers: 0 and below is not relevant, 1 and above is."
        ),
        "run.txt:2: the row has 2 columns: 'q1 Q0'. A run has six: query, Q0, document, rank, score, run name.",
    ]
    unknown = [f"-m: {name!r} is no measure" for name in ("P.a", "ndcg_cut.x", "nope")]
    assert told == [*unknown, *files_told, "6 problems"]
    assert cli("trec", *files, "--against", "before.txt").stderr.splitlines() == [*files_told, "3 problems"]
