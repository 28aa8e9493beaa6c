"""Files of a git revision, read from the object store: no checkout, no index, no network."""

import os
import subprocess
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from stages.records.problem import InputError, Problem

MAIN_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
REGULAR = "100"
REPOSITORY = "Run it in a git repository which holds the project and, if cloned with --filter, its objects"
FETCH = "Fetch it, as in `git fetch --depth=1 origin REVISION`, or name another BASE"


def resolve_commit(root: Path, revision: str) -> str:
    """Return the id of the commit that a revision names.

    Raises:
        InputError: `root` is in no repository, or the clone does not have the commit.
    """
    _git(root, "rev-parse", "--git-dir")
    found = _run(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        raise InputError([Problem(revision, 0, 0, "", "this clone has no such commit", FETCH)])
    return found.stdout.decode().strip()


def merge_base(root: Path, head: str = "HEAD") -> str:
    """Return the commit where `head` left the main branch.

    Raises:
        InputError: there is no main branch, or a shallow clone does not reach back to where it was left.
    """
    head = resolve_commit(root, head)
    known = [name for name in MAIN_BRANCHES if not _run(root, "rev-parse", "--verify", "-q", name).returncode]
    if not known:
        names = ", ".join(MAIN_BRANCHES)
        raise InputError([Problem("BASE", 0, 0, "", f"there is no main branch ({names})", "Name the BASE")])
    found = _run(root, "merge-base", head, known[0])
    if found.returncode:
        what = f"no common ancestor with {known[0]} is in this clone"
        raise InputError([Problem("BASE", 0, 0, "", what, "Name the BASE, or fetch more of the history")])
    return found.stdout.decode().split()[0]


def commit_date(root: Path, commit: str) -> date:
    """Return the day of a commit, in its committer's own time zone."""
    return date.fromisoformat(_git(root, "show", "-s", "--format=%cs", commit).decode().strip())


def read_revision(root: Path, commit: str, places: Sequence[str]) -> dict[str, bytes]:
    """Return path to content for the files at or below `places`; what a commit does not have is left out.

    Paths are relative to `root`, also where that is a folder inside the repository. Links and submodules are no files.

    Raises:
        InputError: the clone lacks an object, as a partial clone may.
    """
    listing = _git(root, "ls-tree", "-r", "-z", commit, "--", *places).decode("utf-8", "surrogateescape")
    entries = [line.split("\t", 1) for line in listing.split("\0") if line]
    files = {path: words.split()[2] for words, path in entries if words.startswith(REGULAR)}
    blobs = _read_blobs(root, files.values())
    absent = sorted(path for path, blob in files.items() if blob not in blobs)
    if absent:
        remedy = "Fetch it: a clone made with --filter does not have every object"
        name = commit[:7]
        raise InputError([Problem(f"{name}:{path}", 0, 0, "", "the clone lacks this file", remedy) for path in absent])
    return {path: blobs[blob] for path, blob in sorted(files.items())}


def _read_blobs(root: Path, blobs: Iterable[str]) -> dict[str, bytes]:
    wanted = sorted(set(blobs))
    if not wanted:
        return {}
    answer = _git(root, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in wanted).encode())
    found: dict[str, bytes] = {}
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        head = answer[at:end].decode().split()
        at = end + 1
        if head[1] != "missing":
            size = int(head[2])
            found[head[0]] = answer[at : at + size]
            at += size + 1
    return found


def _git(root: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    result = _run(root, *arguments, stdin=stdin)
    if result.returncode:
        lines = result.stderr.decode("utf-8", "replace").strip().split("\n")
        what = f"git {arguments[0]} failed: {lines[-1].removeprefix('fatal: ')}"
        raise InputError([Problem(str(root), 0, 0, "", what, REPOSITORY)])
    return result.stdout


def _run(root: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run git with no lazy fetch, no lock and no prompt."""
    quiet = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603 - a fixed program, and a revision is never taken for an option
            ["git", "-c", "protocol.allow=never", "-C", str(root), *arguments],  # noqa: S607 - git is where the user has it
            input=stdin,
            capture_output=True,
            check=False,
            env={**os.environ, **quiet},
        )
    except FileNotFoundError:
        raise InputError(
            [Problem("git", 0, 0, "", "git is not installed", "Install it, or name two reports")]
        ) from None
