"""Ctrl-C and kill -9: nothing that was answered is lost, nothing torn is left, and nothing kept is asked again."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.capture_project import PARAMS, SERVICE, Project, hits
from tests.loopback_retrieval import answer, running

ROOT = Path(__file__).parents[2]
KILLS = 20
CASES = 60
CONCURRENCY = 3


@pytest.fixture
def server():
    async def slowly(asked, writer):
        await answer(hits(asked), after=0.02)(asked, writer)

    with running() as one:
        one.routes["/search"] = slowly
        yield one


@pytest.fixture
def project(tmp_path):
    one = Project(tmp_path)
    one.cases(CASES)
    one.service(limits=SERVICE["limits"] | {"concurrency": CONCURRENCY})
    return one


# Imports once, then runs the command line in a fresh child for every line of input, and tells how it ended: twenty
# captures would otherwise be twenty times the start of Python.
NURSERY = """
import os, sys
import stages.commands.capture, stages.commands.capture_service
from stages.__main__ import main
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        sys.argv = ["retrieval-eval", *line.split()]
        os._exit(main())
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""


def spawn(project, server, *command):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAG_URL": server.url}
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=project.root,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def nursery(project, server):
    with spawn(project, server, "-c", NURSERY) as process:
        yield process
        process.communicate(timeout=10)


def begin(nursery, options):
    """Start a capture in a child of the nursery and return its process id."""
    nursery.stdin.write(f"capture sidecar {options}\n")
    nursery.stdin.flush()
    return int(nursery.stdout.readline())


def asked_ids(server, since=0):
    return [one.json["id"] for one in server.log[since:]]


def kept(project):
    """Return the ids whose answers are on disk, having read every file: a torn one would not parse."""
    waiting = project.root / "data/fixtures/.sidecar.capture/answers"
    found = {}
    for file in [*waiting.glob("[!.]*.json"), *(project.root / "data/fixtures/sidecar").glob("[!.]*.json")]:
        found[file.stem] = json.loads(file.read_text("utf-8"))
    return found.keys() - {"recording"}


def wait_for_requests(server, count):
    deadline = time.monotonic() + 10
    while len(server.log) < count and time.monotonic() < deadline:
        time.sleep(0.002)


def test_kill_9_at_twenty_random_moments(project, server, nursery):
    moments = random.Random(20_261_129)
    for _ in range(KILLS):
        before, done = len(server.log), kept(project)
        child = begin(nursery, "--resume")
        wait_for_requests(server, before + moments.randint(1, 4))
        time.sleep(moments.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        assert int(nursery.stdout.readline()) == signal.SIGKILL
        assert done.isdisjoint(asked_ids(server, before))
        assert done <= kept(project)
    before, done = len(server.log), kept(project)
    begin(nursery, "--resume")
    assert int(nursery.stdout.readline()) == 0
    assert done.isdisjoint(asked_ids(server, before))
    assert len(project.recorded()) == CASES
    assert len(server.log) <= CASES + KILLS * 2 * CONCURRENCY
    assert sorted(one.name for one in (project.root / "data/fixtures").iterdir()) == ["sidecar"]


# Bytecode is not written: Python would keep what fits under the limit, and every later start would read half a module.
FULL_DISK = """
import resource, sys
sys.dont_write_bytecode = True
from stages.__main__ import main
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
sys.argv = ["retrieval-eval", "capture", "sidecar"]
sys.exit(main())
"""


def test_a_disk_that_takes_no_answer_is_one_line_and_no_traceback(project, server):
    async def long(asked, writer):
        found = hits(asked)
        found["hits"][0]["text"] = "x" * 5000
        await answer(found)(asked, writer)

    project.cases(3)
    server.routes["/search"] = long
    with spawn(project, server, "-c", FULL_DISK) as process:
        said = process.communicate(timeout=20)[1]
    assert process.returncode == 2
    assert re.match(r"data/fixtures/.sidecar.capture/answers/case-00\d.json: .*File too large", said.splitlines()[-2])
    assert "Traceback" not in said
    assert project.recorded() == {}


@pytest.mark.parametrize("options", [[], ["--resume"], ["--case", "case-001"]])
def test_a_second_capture_at_once_is_refused_and_disturbs_nothing(project, server, options, monkeypatch, capsys):
    with spawn(project, server, "-m", "stages", "capture", "sidecar") as process:
        wait_for_requests(server, 3)
        monkeypatch.setenv("RAG_URL", server.url)
        assert project.run(monkeypatch, "capture", "sidecar", *options) == 2
        assert capsys.readouterr().err == (
            f"data/fixtures/sidecar: another capture of sidecar is running (process {process.pid}), and one at a time "
            "may write here. Wait until it has ended, or end it.\n1 problem\n"
        )
        process.communicate(timeout=30)
    assert process.returncode == 0
    assert sorted(asked_ids(server)) == [f"case-{n:03d}" for n in range(CASES)]
    assert len(project.recorded()) == CASES
    assert sorted(one.name for one in (project.root / "data/fixtures").iterdir()) == ["sidecar"]


def test_live_and_its_promotion_wait_for_a_capture_of_live(project, server, monkeypatch, capsys):
    project.service("live", limits=SERVICE["limits"] | {"concurrency": CONCURRENCY})
    project.write_yaml("params.yaml", PARAMS | {"live": {"criteria": {}, "max_regressions": 0, "shown_results": 2}})
    with spawn(project, server, "-m", "stages", "capture", "live") as process:
        wait_for_requests(server, 3)
        for options in ([], ["--promote"]):
            assert project.run(monkeypatch, "live", *options) == 2
            assert "another capture of live is running" in capsys.readouterr().err
        process.communicate(timeout=30)
    assert process.returncode == 0


def test_ctrl_c_keeps_the_answers_and_says_how_to_go_on(project, server):
    with spawn(project, server, "-m", "stages", "capture", "sidecar") as process:
        wait_for_requests(server, 10)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=10)[1]
    assert process.returncode == 130
    done = kept(project)
    assert f"{len(done)} of 60 answers are kept; go on with --resume" in said
    assert "Traceback" not in said
    before = len(server.log)
    with spawn(project, server, "-m", "stages", "capture", "sidecar", "--resume") as process:
        process.communicate(timeout=30)
    assert process.returncode == 0
    assert sorted(asked_ids(server, before)) == sorted({f"case-{n:03d}" for n in range(CASES)} - done)
    assert len(project.recorded()) == CASES
