"""Real servers on loopback for tests: an HTTP service that answers by a function, and ports which misbehave."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What the service says: a JSON value or raw bytes, and how."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang_s: float = 0.0
    trickle_s: float = 0.0
    drop: bool = False


@dataclass
class Service:
    """A running service with everything it was asked."""

    url: str
    bodies: list[Any] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


class QuietServer(ThreadingHTTPServer):
    """A server which waits for no hanging thread when it closes, and reports no client that went away."""

    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: tests close connections on purpose."""


@contextmanager
def json_service(answer: Callable[[Any, int], Answer], port: int = 0) -> Iterator[Service]:
    """Serve POST requests; `answer` gets the decoded body and the number of the request, from 0."""
    service = Service("")

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            """Keep the test output clean."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.bodies.append(body)
            service.headers.append({name.lower(): value for name, value in self.headers.items()})
            service.paths.append(self.path)
            self.reply(answer(body, len(service.bodies) - 1))

        def reply(self, said: Answer) -> None:
            time.sleep(said.hang_s)
            if said.drop:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            content = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
            self.send_response(said.status)
            self.send_header("Content-Length", str(len(content)))
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for byte in content if said.trickle_s else ():
                time.sleep(said.trickle_s)
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
            if not said.trickle_s:
                self.wfile.write(content)

    server = QuietServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def silent_port() -> Iterator[int]:
    """A port which accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for_port(port: int, seconds: float = 60.0) -> None:
    """Return when somebody listens on a port of loopback.

    Raises:
        TimeoutError: nobody does, in time for a busy machine.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
        except OSError:
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing listens on port {port}") from None
            time.sleep(0.05)
        else:
            return
