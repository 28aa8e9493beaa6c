"""Write one comment on a pull or merge request, or write over the one from the last time. Standard library only.

    sticky_comment.py github OWNER/REPOSITORY HEAD_OWNER:BRANCH COMMIT FILE
    sticky_comment.py gitlab PROJECT_ID MERGE_REQUEST FILE

The first line of FILE, an HTML comment, is what the comment is known by. STICKY_TOKEN holds the token; GITHUB_API_URL
or CI_API_V4_URL say where the API is. On GitHub the pull request is the open one of that branch at that commit.
"""

import json
import os
import sys
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

MARKER = "<!-- retrieval-eval review"
LONGEST = 60_000
PAGE = 100
TIMEOUT = 30


def main(arguments: list[str]) -> int:
    """Write the comment; exit code 2 where the file is no comment of ours, 0 where no pull request is open."""
    platform, file = arguments[0], Path(arguments[-1])
    body = file.read_text(encoding="utf-8")
    if not body.startswith(MARKER) or len(body) > LONGEST:
        print(f"{file}: this is no comment that `retrieval-eval gate --markdown` wrote", file=sys.stderr)
        return 2
    comments = _github(*arguments[1:4]) if platform == "github" else _gitlab(*arguments[1:3])
    if comments is None:
        print("no open pull request is at that commit: nothing to comment on", file=sys.stderr)
        return 0
    listing, single, update = comments
    marker = body.split("\n", 1)[0]
    known = _find(listing, marker)
    if known is None:
        _call("POST", listing, {"body": body})
    else:
        _call(update, f"{single}/{known}", {"body": body})
    return 0


def _github(repository: str, head: str, commit: str) -> tuple[str, str, str] | None:
    """Where the comments of the open pull request are listed, where one is, and how it is updated."""
    base = f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{repository}"
    query = urllib.parse.urlencode({"state": "open", "head": head})
    numbers = [pull["number"] for pull in _call("GET", f"{base}/pulls?{query}") if pull["head"]["sha"] == commit]
    if not numbers:
        return None
    return f"{base}/issues/{numbers[0]}/comments", f"{base}/issues/comments", "PATCH"


def _gitlab(project: str, request: str) -> tuple[str, str, str]:
    base = os.environ.get("CI_API_V4_URL", "https://gitlab.com/api/v4")
    notes = f"{base}/projects/{urllib.parse.quote(project, safe='')}/merge_requests/{int(request)}/notes"
    return notes, notes, "PUT"


def _find(listing: str, marker: str) -> int | None:
    """Return the id of the first comment that begins with the marker, page by page."""
    page = 1
    while True:
        found = _call("GET", f"{listing}?per_page={PAGE}&page={page}")
        known = next((comment["id"] for comment in found if str(comment["body"]).startswith(marker)), None)
        if known is not None or len(found) < PAGE:
            return known
        page += 1


def _call(method: str, url: str, data: dict[str, str] | None = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    token = os.environ["STICKY_TOKEN"]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data=body, headers=headers, method=method)  # noqa: S310 - the API's address
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - as above
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
