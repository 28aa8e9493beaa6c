"""Revisions are read from the object store alone, and what is not there is said."""

import os
import subprocess
from datetime import date
from pathlib import Path

import pytest

from stages.records.problem import InputError
from stages.storage.git_objects import commit_date, merge_base, read_revision, resolve_commit

WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (
    ("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2026-03-01T12:00:00+08:00"))}  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, **WHO, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True, env=environment
    ).stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    (folder / "data").mkdir()
    (folder / "data/消息 队列.yaml").write_bytes(b"one\r\n")
    (folder / "data/link.yaml").symlink_to("消息 队列.yaml")
    (folder / "params.yaml").write_text("topK: 5\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    git(folder, "switch", "-qc", "change")
    (folder / "params.yaml").write_text("topK: 9\n")
    git(folder, "commit", "-qam", "second")
    return folder


def fault(call) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


def test_files_come_from_the_commit_whatever_lies_in_the_folder(repository):
    files = read_revision(repository, resolve_commit(repository, "main"), ["data", "params.yaml", "no/such"])
    assert files == {"data/消息 队列.yaml": b"one\r\n", "params.yaml": b"topK: 5\n"}


def test_the_merge_base_with_main_is_found_and_has_a_date_of_its_own(repository):
    base = merge_base(repository)
    assert base == resolve_commit(repository, "main")
    assert commit_date(repository, base) == date(2026, 3, 1)


def test_a_project_in_a_folder_of_a_repository_has_paths_of_its_own(repository):
    assert list(read_revision(repository / "data", resolve_commit(repository, "main"), ["."])) == ["消息 队列.yaml"]


def test_a_bare_shallow_clone_is_enough(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--bare", "--depth=1", "-b", "main", f"file://{repository}", "bare")
    files = read_revision(tmp_path / "bare", resolve_commit(tmp_path / "bare", "HEAD"), ["params.yaml"])
    assert files == {"params.yaml": b"topK: 5\n"}


def test_a_commit_beyond_a_shallow_clone_is_named_with_what_to_do(repository, tmp_path):
    git(tmp_path, "clone", "-q", "--depth=1", "-b", "change", f"file://{repository}", "clone")
    assert fault(lambda: resolve_commit(tmp_path / "clone", "HEAD~1")) == (
        "HEAD~1: this clone has no such commit. "
        "Fetch it, as in `git fetch --depth=1 origin REVISION`, or name another BASE."
    )


def test_a_revision_is_never_taken_for_an_option(repository):
    assert "this clone has no such commit" in fault(lambda: resolve_commit(repository, "--git-dir"))


def test_an_object_that_a_partial_clone_lacks_is_named_and_not_fetched(repository, tmp_path):
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", f"file://{repository}", "partial")
    words = fault(lambda: read_revision(tmp_path / "partial", "main", ["params.yaml"]))
    assert "git cat-file failed" in words or "the clone lacks this file" in words


def test_a_folder_without_a_repository_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert fault(lambda: resolve_commit(tmp_path, "HEAD")) == (
        f"{tmp_path}: git rev-parse failed: not a git repository (or any of the parent directories): .git. "
        "Run it in a git repository which holds the project and, if cloned with --filter, its objects."
    )


def test_no_main_branch_means_that_base_must_be_named(tmp_path):
    git(tmp_path, "init", "-q", "-b", "work")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    assert fault(lambda: merge_base(tmp_path)) == (
        "BASE: there is no main branch (origin/HEAD, origin/main, origin/master, main, master). Name the BASE."
    )


def test_a_machine_without_git_is_told_what_else_will_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fault(lambda: resolve_commit(tmp_path, "HEAD")) == (
        "git: git is not installed. Install it, or name two reports."
    )
