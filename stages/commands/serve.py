"""Serve the evaluation of retrievers over HTTP, on this machine alone unless told otherwise.

  POST /ai/runbooks/evaluate         {"retriever": "bm25|milvus|hybrid|all", "topK": 3, "report": true}
  POST /ai/runbooks/retrieve/debug   {"query": "...", "topK": 3}: each arm, fusion, rerank and the final ranking
  GET  /ai/health                    what can be evaluated
  GET  /openapi.json                 the description of all this

Files are read once, at the start. There is no authentication: leave it on loopback, or put a proxy before it.
Example: retrieval-eval serve --port 8077

Exit codes: 0 stopped by SIGINT or SIGTERM; 2 bad input or usage.
"""

import argparse
import os
import signal
import socket
import sys
import threading
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path

from stages.commands.evaluate import positive
from stages.records.problem import InputError, Problem

PORTS = 65_535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    add("--port", type=_port, default=8077, help="port to listen on, 0 for any that is free (default 8077)")
    add("--golden", type=Path, nargs="+", default=[Path("data/golden")], help="golden files or folders of them")
    add("--corpus", type=Path, default=Path("data/corpus"), help="folder of Markdown, or JSONL (default data/corpus)")
    add("--fixtures", type=Path, default=Path("data/fixtures/milvus"), help="recordings of milvus")
    add("--concurrency", type=positive, default=4, help="requests worked on at once; others wait (default 4)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--recorded", action="store_true", help="evaluate milvus as it was recorded (default)")
    how.add_argument("--live", action="store_true", help="ask Milvus for every evaluation")


def run(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM, finish what is under way, and return 0."""
    for package in ("fastapi", "uvicorn"):
        if find_spec(package) is None:
            what, remedy = f"the package {package} is not installed", "Install the extra: retrieval-eval[api]"
            raise InputError([Problem("serve", 0, 0, "", what, remedy)])
    from stages.commands.serve_app import make_server
    from stages.commands.serve_engines import open_engines

    engines = open_engines(args.golden, args.corpus, args.fixtures, live=args.live)
    server = make_server(engines, args.concurrency)
    with _listen(args.host, args.port) as listener:
        # The server has handlers of its own while it runs; these are for the moments before and after.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: setattr(server, "should_exit", True))
        _announce(listener)
        server.run(sockets=[listener])
    print("stopped", file=sys.stderr, flush=True)
    _leave_threads_behind()
    return 0


def _port(text: str) -> int:
    value = int(text)
    if not 0 <= value <= PORTS:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {PORTS}")
    return value


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        what = f"cannot listen on port {port} of {host}: {why}"
        raise InputError([Problem("serve", 0, 0, "", what, "Choose another --port or --host")]) from None


def _leave_threads_behind() -> None:
    """End at once where a thread still waits for an engine: it cannot be stopped, and its answer is not wanted."""
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    for thread in others:
        thread.join(timeout=1.0)
    if any(thread.is_alive() for thread in others):
        os._exit(0)


def _announce(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"serving on http://{shown}:{port}", file=sys.stderr, flush=True)
    if not ip_address(host).is_loopback:
        print("other machines can reach it, and nobody is asked for a password", file=sys.stderr, flush=True)
