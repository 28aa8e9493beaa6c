"""A real HTTP/1.1 server on loopback whose behaviour is written byte by byte, so that it can also misbehave."""

import asyncio
import contextlib
import gc
import json
import socket
import ssl
import struct
import threading
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Asked:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.split("?")[0]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behaviour = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class LoopbackServer:
    """Answers by `routes`, path to behaviour; a list of behaviours is used up, its last one stays."""

    port: int = 0
    scheme: str = "http"
    routes: dict[str, Behaviour | list[Behaviour]] = field(default_factory=dict)
    log: list[Asked] = field(default_factory=list)
    writers: list[asyncio.StreamWriter] = field(default_factory=list, repr=False)
    serving: list[asyncio.Task[None]] = field(default_factory=list, repr=False)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        self.serving.append(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            async for asked in requests(reader):
                self.log.append(asked)
                behaviour = self.routes.get(asked.path, answer({"error": "no such path"}, 404))
                if isinstance(behaviour, list):
                    behaviour = behaviour.pop(0) if len(behaviour) > 1 else behaviour[0]
                await behaviour(asked, writer)
                if writer.is_closing():
                    break
                await writer.drain()
        writer.close()


async def requests(reader: asyncio.StreamReader) -> AsyncIterator[Asked]:
    while True:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        yield Asked(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None, after: float = 0) -> Behaviour:
    """Answer JSON, or bytes as they are."""
    body = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    lines = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}
    head = "".join(f"{name}: {text}\r\n" for name, text in lines.items())
    return raw(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body, after=after)


def raw(data: bytes, *, close: bool = False, reset: bool = False, after: float = 0) -> Behaviour:
    """Write bytes, then keep the connection, close it, or reset it."""

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        del asked
        await asyncio.sleep(after)
        writer.write(data)
        if reset:
            await writer.drain()
            await asyncio.sleep(0.02)
            linger = struct.pack("ii", 1, 0)  # closing then sends a reset
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
        elif close:
            await writer.drain()
            writer.close()

    return behave


def chunked(value: Any, size: int = 7) -> Behaviour:
    body = json.dumps(value, ensure_ascii=False).encode()
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    text = b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"
    return raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + text)


def trickle(pause: float) -> Behaviour:
    """Send a byte now and then, forever."""

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        del asked
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(pause)

    return behave


@contextlib.contextmanager
def running(context: ssl.SSLContext | None = None) -> Iterator[LoopbackServer]:
    """Run a server in a thread of its own until the block ends."""
    server = LoopbackServer(scheme="https" if context else "http")
    loop, started, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def main() -> None:
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=context)
        server.port = listening.sockets[0].getsockname()[1]
        started.set()
        await stop.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()} - set(server.serving)
        await asyncio.gather(*others, return_exceptions=True)  # a connection that is just being accepted
        for task in server.serving:
            task.cancel()
        await asyncio.gather(*server.serving, return_exceptions=True)
        for writer in server.writers:
            writer.transport.abort()
        await asyncio.sleep(0.02)  # the loop closes aborted sockets in its next rounds

    thread = threading.Thread(target=lambda: loop.run_until_complete(main()), daemon=True)
    thread.start()
    started.wait(5)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(5)
        loop.close()
        # A connection that was accepted in the very last round has no task yet that would close it. It is collected
        # here, so that its warning does not fail whatever test runs when the collector comes by.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()
