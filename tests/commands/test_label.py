"""`label` in a real terminal (a pseudo-terminal), in a pipe, and through a spreadsheet."""

import csv
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from stages.storage.yaml_file import parse_yaml

GOLDEN = """\
scenario: s   # chat
cases:
  # found at once
  - id: found
    query: q
    fault_type: F
    expected:
      documents: [{doc_id: mq, section: 原因}]   # one
      evidence: {keywords: [变慢]}

  - id: lost
    query: r
    fault_type: G
    expected:
      documents:
        # the lock
        - {doc_id: db, section: 原因}
      evidence: {keywords: [锁]}
"""


@pytest.fixture
def project(small_project):
    (small_project / "data/golden/a.yaml").write_text(GOLDEN, encoding="utf-8")
    return small_project


class Terminal:
    """The program at the other end of a pseudo-terminal."""

    def __init__(self, folder, *arguments):
        self._master, slave = pty.openpty()
        environment = {**os.environ, "PYTHONPATH": os.environ["RETRIEVAL_EVAL_ROOT"], "COLUMNS": "80"}
        command = [sys.executable, "-m", "stages", "label", "--paths", "fixture", *arguments]
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.seen = ""

    def wait_for(self, pattern, seconds=20):
        """Read until the screen shows the pattern after what was seen before."""
        end, text = time.monotonic() + seconds, b""
        while time.monotonic() < end:
            if select.select([self._master], [], [], 0.1)[0]:
                try:
                    text += os.read(self._master, 65_536)
                except OSError:
                    break
            if re.search(pattern, text.decode(errors="ignore")):
                break
        self.seen = text.decode(errors="ignore").replace("\r\n", "\n")
        assert re.search(pattern, self.seen), self.seen
        return self.seen

    def press(self, keys):
        os.write(self._master, keys.encode())

    def close(self):
        self.process.wait(20)
        os.close(self._master)


@pytest.fixture
def terminal(project, monkeypatch, request):
    monkeypatch.setenv("RETRIEVAL_EVAL_ROOT", str(request.config.rootpath))
    opened = []

    def start(*arguments):
        opened.append(Terminal(project, *arguments))
        return opened[-1]

    yield start
    for one in opened:
        one.process.kill()
        one.process.wait()


def golden(project):
    return (project / "data/golden/a.yaml").read_text(encoding="utf-8")


def documents(project):
    cases = parse_yaml(golden(project), "").data["cases"]
    return {case["id"]: case["expected"]["documents"] for case in cases}


def test_the_first_screen_is_the_candidate_whose_label_moves_most(terminal):
    screen = terminal()
    seen = screen.wait_for("q quit\n$|q quit\r\n")
    assert seen.split("\n") == [
        "─" * 80,
        "case lost   (3 left)",
        "  r",
        "  labelled already:",
        "    1  db # 原因",
        "─" * 80,
        "net # 原因   ",
        "rank: fixture 1;  level miss → medium if relevant, swing 2.50",
        "",
        "丢包",
        "─" * 80,
        "3 answers fully   2 main place   1 helps   0 wrong   s put off   u undo   q quit",
        "",
    ]
    screen.press("q")
    screen.wait_for("3 candidates are waiting; `retrieval-eval label` goes on here")
    screen.close()
    assert screen.process.returncode == 0


def test_a_key_is_a_label_at_once_and_undo_gives_the_same_bytes_back(terminal, project):
    screen = terminal()
    screen.wait_for("q quit")
    screen.press("2")
    screen.wait_for(r"→ 2  net # 原因[\s\S]*q quit")
    assert documents(project)["lost"] == [
        {"doc_id": "db", "section": "原因"},
        {"doc_id": "net", "section": "原因", "relevance": 2},
    ]
    assert golden(project) == GOLDEN.replace(
        "        - {doc_id: db, section: 原因}\n",
        "        - {doc_id: db, section: 原因}\n        - {doc_id: net, section: 原因, relevance: 2}\n",
    )
    screen.press("u")
    screen.wait_for(r"← taken back: 2  net # 原因[\s\S]*q quit")
    assert golden(project) == GOLDEN
    screen.press("u")
    screen.wait_for("nothing to undo")
    screen.press("q")
    screen.close()


def test_it_resumes_after_a_kill_and_undoes_what_an_earlier_session_did(terminal, project):
    first = terminal()
    first.wait_for("q quit")
    first.press("0")
    first.wait_for(r"→ 0  net # 原因[\s\S]*q quit")
    first.press("s")
    first.wait_for(r"\(1 left\)[\s\S]*q quit")
    first.process.send_signal(signal.SIGKILL)
    first.close()

    second = terminal()
    assert "case found   (1 left)" in second.wait_for("q quit")
    second.press("u")
    second.wait_for(r"← mq is back in the queue[\s\S]*\(2 left\)[\s\S]*q quit")
    second.press("u")
    second.wait_for(r"← taken back: 0  net # 原因[\s\S]*\(3 left\)[\s\S]*q quit")
    assert golden(project) == GOLDEN
    second.press("q")
    second.close()


def test_what_was_put_off_comes_back_when_asked(terminal):
    first = terminal()
    first.wait_for("q quit")
    first.press("sss")
    first.wait_for("0 candidates are waiting")
    first.close()
    second = terminal("--again")
    second.wait_for(r"3 candidates are back in the queue[\s\S]*q quit")
    second.press("q")
    second.close()


def test_keys_may_come_through_a_pipe_and_its_end_is_the_end(project, cli):
    done = cli("label", "--paths", "fixture", "--case", "found", input="x1")
    assert (done.returncode, done.stderr) == (0, "0 candidates are waiting; `retrieval-eval label` goes on here\n")
    assert documents(project)["found"] == [{"doc_id": "mq", "section": "原因"}, {"doc_id": "net", "section": "原因"}]
    assert "   # one\n" in golden(project)


def test_a_spreadsheet_goes_out_and_labels_come_back(project, cli):
    assert cli("label", "--paths", "fixture", "--export", "q.csv").stderr == "3 candidates written to q.csv\n"
    text = (project / "q.csv").read_text(encoding="utf-8")
    assert text.startswith("\ufeffcase_id,doc_id,section,relevance,query,title,text,paths,swing,level,")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    grades = {("lost", "net"): "0", ("lost", "mq"): "9", ("found", "net"): ""}
    for row in rows:
        row["relevance"] = grades[row["case_id"], row["doc_id"]]
    rows.append({**rows[0], "section": "无此节", "relevance": "1"})
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    (project / "filled.csv").write_text(out.getvalue(), encoding="utf-8")
    done = cli("label", "--paths", "fixture", "--import", "filled.csv")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            "filled.csv:3: case lost: relevance is '9', which is none of 0, 1, 2, 3. Write a whole grade.",
            "filled.csv:5: case lost: net#无此节 is not waiting for a label. It is judged already, or misspelt.",
            "4 rows in, 1 labels written, 1 left blank, 2 refused",
        ],
    )
    assert documents(project)["lost"][1] == {"doc_id": "net", "section": "原因", "relevance": 0}
    assert len(json.loads(cli("label", "--paths", "fixture", "--json").stdout)) == 2


def test_a_row_that_lost_a_cell_or_won_one_is_refused_and_not_taken_as_left_blank(project, cli):
    rows = ["case_id,doc_id,section,relevance,query", "lost,net,原因", '"found",net,"原\n因",2,a, b', "lost,mq,原因,,q"]
    (project / "filled.csv").write_text("\n".join(rows), encoding="utf-8")
    done = cli("label", "--paths", "fixture", "--import", "filled.csv")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            (
                "filled.csv:2: the row has 3 cells for 5 columns; 'relevance' is the first without one. "
                "Write every cell, empty ones too."
            ),
            (
                "filled.csv:3: the row has 6 cells for 5 columns; ' b' is the first too many. "
                "Quote a cell that holds the separator."
            ),
            "3 rows in, 0 labels written, 1 left blank, 2 refused",
        ],
    )


def test_a_case_whose_labels_others_share_by_an_alias_is_told_and_the_others_are_labelled(project, cli):
    path = project / "data/golden/a.yaml"
    shared = GOLDEN.replace("[{doc_id: mq, section: 原因}]", "&both [{doc_id: mq, section: 原因}]")
    shared += "  - {id: same, query: s, fault_type: F, expected: {documents: *both, evidence: {keywords: [变慢]}}}\n"
    path.write_text(shared, encoding="utf-8")
    rows = ["case_id,doc_id,section,relevance", "found,net,原因,1", "lost,net,原因,0"]
    (project / "filled.csv").write_text("\n".join(rows), encoding="utf-8")
    why = (
        "data/golden/a.yaml:4: case found: an alias shares what is to change with other places. "
        "Write it out, or change it by hand."
    )
    done = cli("label", "--paths", "fixture", "--import", "filled.csv")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [why, "2 rows in, 1 labels written, 0 left blank, 1 refused"],
    )
    assert documents(project)["lost"][1] == {"doc_id": "net", "section": "原因", "relevance": 0}
    done = cli("label", "--paths", "fixture", "--case", "found", input="1q")
    assert done.returncode == 0
    assert why in done.stdout.splitlines()
    assert documents(project)["same"] == [{"doc_id": "mq", "section": "原因"}]


def test_a_text_that_a_spreadsheet_would_run_is_written_as_text(project, cli):
    path = project / "data/fixtures/baseline/lost.json"
    path.write_text(path.read_text(encoding="utf-8").replace("丢包", "=cmd()"), encoding="utf-8")
    cli("label", "--paths", "fixture", "--export", "q.csv")
    assert ",'=cmd()," in (project / "q.csv").read_text(encoding="utf-8")


@pytest.mark.usefixtures("project")
def test_unknown_paths_and_cases_are_told_together(cli):
    done = cli("label", "--paths", "fixture,faiss", "--case", "nobody")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            "data/golden: case nobody: there is no such case. Correct --case.",
            "params.yaml: there is no path 'faiss'. Correct --paths.",
            "2 problems",
        ],
    )
