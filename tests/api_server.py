"""`retrieval-eval serve` as a program of its own, on a free port of loopback."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.retriever_project import ROOT


@dataclass
class Api:
    """A running server and a client of it."""

    client: httpx.Client
    process: subprocess.Popen[str]

    def post(self, path: str, body: object) -> httpx.Response:
        return self.client.post(path, json=body)

    def evaluate(self, retriever: str, **rest: object) -> httpx.Response:
        return self.post("/ai/runbooks/evaluate", {"retriever": retriever, **rest})

    def debug(self, query: str, **rest: object) -> httpx.Response:
        return self.post("/ai/runbooks/retrieve/debug", {"query": query, **rest})

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; returns the exit code and what was said on standard error since the start."""
        self.process.send_signal(number)
        _, error = self.process.communicate(timeout=30)
        return self.process.returncode, error


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Api]:
    """Start the server in `folder`; it is stopped on leaving."""
    process = subprocess.Popen(
        [sys.executable, "-m", "stages", "serve", "--port", "0", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        first = process.stderr.readline() if process.stderr else ""
        assert first.startswith("serving on http://127.0.0.1:"), first + (process.communicate(timeout=30)[1] or "")
        with httpx.Client(base_url=first.split()[-1], timeout=30, trust_env=False) as client:
            yield Api(client, process)
    finally:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()
