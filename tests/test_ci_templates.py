"""The CI templates: pinned, least privilege, and the shell one does what it says in a real clone."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands.review_repository import WORDS, Project

ROOT = Path(__file__).parents[1]
CI = ROOT / "ci"
GITHUB = sorted((CI / "github").glob("*.yml"))
PIPELINE = {
    "load": ("", ["data/golden"], "data/build/cases.json"),
    "retrieve": ("fixture data/fixtures/baseline", ["data/fixtures/baseline", "data/build/cases.json"],
                 "data/build/rankings/fixture.json"),
    "score": ("fixture", ["data/build/rankings/fixture.json"], "data/build/scored/fixture.json"),
}  # fmt: skip


def workflow(file: Path) -> dict[Any, Any]:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def steps(file: Path) -> list[dict[str, Any]]:
    return [step for job in workflow(file)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("file", GITHUB, ids=lambda file: file.name)
def test_every_action_is_pinned_to_a_commit_with_its_version_beside_it(file):
    used = re.findall(r"uses: (\S+)(.*)", file.read_text(encoding="utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


@pytest.mark.parametrize("file", GITHUB, ids=lambda file: file.name)
def test_no_expression_of_a_stranger_is_pasted_into_a_script(file):
    assert all("${{" not in step.get("run", "") for step in steps(file))
    assert all(job["timeout-minutes"] <= 15 for job in workflow(file)["jobs"].values())


def test_what_runs_the_code_of_a_fork_can_read_and_nothing_else():
    file = CI / "github/review.yml"
    text = file.read_text(encoding="utf-8")
    assert workflow(file)["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in text
    assert "secrets." not in text
    assert steps(file)[0]["with"]["persist-credentials"] is False


def test_what_may_write_runs_no_code_of_a_pull_request():
    file = CI / "github/comment.yml"
    found = workflow(file)
    assert found["permissions"] == {}
    assert found["jobs"]["comment"]["permissions"] == {
        "actions": "read", "contents": "read", "pull-requests": "write"}  # fmt: skip
    checkout = steps(file)[0]["with"]
    assert checkout["ref"] == "${{ github.event.repository.default_branch }}"
    assert found[True]["workflow_run"]["workflows"] == [workflow(CI / "github/review.yml")["name"]]


def test_the_gitlab_image_has_a_full_version_and_the_report_is_kept_when_the_gate_fails():
    job = workflow(CI / "gitlab-ci.yml")["retrieval-review"]
    assert re.search(r":\d+\.\d+\.\d+", job["image"])
    assert job["artifacts"]["when"] == "always"
    assert job["artifacts"]["reports"]["junit"] == "review/gate.xml"


@contextmanager
def comment_server(pages: list[list[dict[str, Any]]], pulls: list[dict[str, Any]]) -> Iterator[tuple[str, list[Any]]]:
    """An API of comments: pages of a hundred, pull requests, and everything that was written."""
    seen: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Keep the test output clean."""

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length:
                seen.append(
                    (self.command, self.path, json.loads(self.rfile.read(length)), self.headers["Authorization"])
                )
            page = re.search(r"[?&]page=(\d+)", self.path)
            found = pages[int(page[1]) - 1] if page else pulls if "/pulls?" in self.path else {}
            raw = json.dumps(found).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        do_GET = do_POST = do_PATCH = do_PUT = _answer  # noqa: N815 - names of http.server

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    server.server_close()


def sticky(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"STICKY_TOKEN": "t", "GITHUB_API_URL": url, "CI_API_V4_URL": url, "PATH": "/usr/bin:/bin"}
    return subprocess.run([sys.executable, str(CI / "sticky_comment.py"), *arguments], env=environment,
                          capture_output=True, text=True, check=False)  # fmt: skip


BODY = "<!-- retrieval-eval review fixture -->\n## Retrieval gate: pass\n"
PULLS = [{"number": 7, "head": {"sha": "old"}}, {"number": 8, "head": {"sha": "abc"}}]


@pytest.fixture
def comment(tmp_path: Path) -> str:
    (tmp_path / "comment.md").write_text(BODY)
    return str(tmp_path / "comment.md")


def test_the_first_comment_is_posted_on_the_pull_request_at_that_commit(comment):
    with comment_server([[{"id": 1, "body": "hello"}]], PULLS) as (url, seen):
        assert sticky(url, "github", "o/r", "fork:branch", "abc", comment).returncode == 0
    assert seen == [("POST", "/repos/o/r/issues/8/comments", {"body": BODY}, "Bearer t")]


def test_later_ones_write_over_it_wherever_it_stands(comment):
    full = [{"id": n, "body": "x"} for n in range(100)]
    with comment_server([full, [{"id": 205, "body": BODY + "old"}]], PULLS) as (url, seen):
        assert sticky(url, "github", "o/r", "fork:branch", "abc", comment).returncode == 0
        assert sticky(url, "gitlab", "group/project", "3", comment).returncode == 0
    assert [call[:2] for call in seen] == [
        ("PATCH", "/repos/o/r/issues/comments/205"),
        ("PUT", "/projects/group%2Fproject/merge_requests/3/notes/205"),
    ]


def test_without_an_open_pull_request_nothing_is_written(comment):
    with comment_server([[]], PULLS) as (url, seen):
        done = sticky(url, "github", "o/r", "fork:branch", "gone", comment)
    assert (done.returncode, seen) == (0, [])
    assert done.stderr == "no open pull request is at that commit: nothing to comment on\n"


def test_a_file_that_is_no_comment_of_ours_is_refused(tmp_path):
    (tmp_path / "other.md").write_text("# anything")
    done = sticky("http://127.0.0.1:9", "github", "o/r", "a:b", "abc", str(tmp_path / "other.md"))
    assert done.returncode == 2
    assert done.stderr.endswith("other.md: this is no comment that `retrieval-eval gate --markdown` wrote\n")


def project(folder: Path) -> Path:
    """A small DVC project of our stages, committed with its reports."""
    Project().files(folder)  # written there to be scored
    sections = dict.fromkeys(name for row in Project().cases.values() for name in row[4])
    for name in sections:
        document, section = name.split("#")
        file = folder / f"data/corpus/{document}.md"
        file.parent.mkdir(exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            out.write(f"## {section}\n\n{WORDS.get(name, section)}\n\n")
    docs = "docs/retrieval-eval"
    kept = [{f"{docs}/{name}": {"cache": False}} for name in
            ("baseline.json", "baseline.md", "cases.jsonl", "plots/levels.csv", "plots/cutoffs.csv")]  # fmt: skip
    stages = {
        name: {"cmd": f"python -m stages.{name} {words}".strip(), "deps": deps, "outs": [out]}
        for name, (words, deps, out) in PIPELINE.items()
    }
    stages["report"] = {"cmd": "python -m stages.report", "deps": ["data/build/scored/fixture.json"], "outs": kept,
                        "metrics": [{f"{docs}/metrics.json": {"cache": False}}]}  # fmt: skip
    (folder / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}), encoding="utf-8")
    (folder / ".gitignore").write_text("/review/\n")
    return folder


def shell(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    who = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {**who, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder), "DVC_NO_ANALYTICS": "true",
                   "RETRIEVAL_EVAL": "python -m stages", "GIT_CONFIG_GLOBAL": os.devnull}  # fmt: skip
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_shell_review_passes_a_clean_commit_and_stops_a_stale_and_worse_one(tmp_path):
    folder = project(tmp_path)
    setup = (
        "git init -qb main && dvc init -q && dvc repro -q && git add -A && git commit -qm base && git switch -qc work"
    )
    assert shell(folder, "sh", "-c", setup).returncode == 0
    clean = shell(folder, "sh", str(CI / "review.sh"), "main")
    assert (clean.returncode, clean.stderr) == (0, "")
    assert (folder / "review/comment.md").read_text(encoding="utf-8").startswith("<!-- retrieval-eval review fixture")
    assert json.loads((folder / "review/gate.json").read_text(encoding="utf-8"))["verdict"] == "pass"

    file = folder / "data/fixtures/baseline/mq-dead-letter.json"
    recording = json.loads(file.read_text(encoding="utf-8"))
    recording["candidates"] = recording["candidates"][1:]
    for rank, candidate in enumerate(recording["candidates"], 1):
        candidate["rank"] = rank
    file.write_text(json.dumps(recording, ensure_ascii=False), encoding="utf-8")
    assert shell(folder, "git", "commit", "-qam", "worse, and without dvc repro").returncode == 0
    worse = shell(folder, "sh", str(CI / "review.sh"), "main")
    assert worse.returncode == 1
    assert "The committed reports are not those of this commit: run `dvc repro`" in worse.stderr
    assert "recall_at_k" in (folder / "review/metrics.md").read_text(encoding="utf-8")
    assert "mq-dead-letter" in (folder / "review/comment.md").read_text(encoding="utf-8")
