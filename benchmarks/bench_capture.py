"""Throughput and memory of capturing a service, as a Markdown table.

    python benchmarks/bench_capture.py [--cases 1000 5000] [--concurrency 16] [--answer-ms 50]

A server of its own process on loopback answers each request after a fixed time, and takes the time from the first
request to the last answer; the ideal is cases / concurrency times that fixed time. `whole` adds opening the client
before and putting the recordings in their place after; the start of Python and the golden file are in neither.
docs/performance.md has the last table.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
from as_installed import compile_package

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
WAIT_FOR_PORT = 10
KIB_PER_MIB = 1024


def main() -> None:
    """Measure every number of cases in a process of its own, so that the peak of memory is its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--answer-ms", type=float, default=50)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.answer_ms / 1000))
    elif args.measure:
        print(json.dumps(measure(args.cases[0], args.concurrency, args.measure)))
    else:
        table(args)


def table(args: argparse.Namespace) -> None:
    """Print the table."""
    compile_package()
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", "--answer-ms", str(args.answer_ms)], stdout=subprocess.PIPE, text=True
    )
    try:
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}" if server.stdout else ""
        print("| cases | at a time | answer | ideal | asking | of the ideal | a second | whole | memory | growth |")
        print("|" + " ---: |" * 10)
        for cases in args.cases:
            row(args, cases, url)
    finally:
        server.kill()
        server.wait()


def row(args: argparse.Namespace, cases: int, url: str) -> None:
    """Print one row."""
    command = [
        sys.executable,
        __file__,
        "--measure",
        url,
        "--cases",
        str(cases),
        "--concurrency",
        str(args.concurrency),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    ideal = cases / args.concurrency * args.answer_ms / 1000
    times = f"{ideal:.2f} s | {found['asking']:.2f} s | {ideal / found['asking']:.1%} | {cases / found['asking']:.0f}"
    memory = f"{found['whole']:.2f} s | {found['peak_mib']:.0f} MiB | {found['growth_mib']:.1f} MiB"
    print(f"| {cases} | {args.concurrency} | {args.answer_ms:g} ms | {times} | {memory} |", flush=True)


def measure(cases: int, concurrency: int, url: str) -> dict[str, float]:
    """Capture `cases` cases; growth is the peak of memory less what was in use before the first request."""
    from stages.commands.capture_service import make_job, run_job

    os.environ["RAG_URL"] = url
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_project(Path(folder), cases, concurrency)
        golden, services = [Path("golden.yaml")], Path("services.yaml")
        args = SimpleNamespace(
            golden=golden, services=services, top_k=None, out=None, case=[], tag=[], scenario=[], resume=False
        )
        job = make_job(args, "sidecar")  # type: ignore[arg-type]
        before = peak_mib()
        started = time.perf_counter()
        state = run_job(job, resume=False)
        seconds = time.perf_counter() - started
        if state.status != "ready":
            raise SystemExit(f"the capture failed: {state.reason}")
    asking = float(httpx.get(f"{url}/asking").text)
    return {"asking": asking, "whole": seconds, "peak_mib": peak_mib(), "growth_mib": peak_mib() - before}


def peak_mib() -> float:
    """Return the peak resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB_PER_MIB


def write_project(folder: Path, cases: int, concurrency: int) -> None:
    """Write parameters, cases (JSON is YAML) and the description of the service."""
    golden = {
        "scenario": "chat_lookup",
        "cases": [
            {
                "id": f"case-{number:05d}",
                "query": f"订单队列积压 {number}",
                "expected": {"documents": [{"doc_id": "mq"}], "evidence": {"keywords": ["lag"]}},
            }
            for number in range(cases)
        ],
    }
    service = {
        "preset": "spring-ai-documents",
        "request": {"url": "${RAG_URL}/api/retrieve"},
        "limits": {"concurrency": concurrency},
    }
    paths = {"sidecar": {"dir": "recordings", "relevance_floor": None}}
    for name, value in {
        "golden.yaml": golden,
        "services.yaml": {"services": {"sidecar": service}},
        "params.yaml": {"topK": 5, "paths": paths},
    }.items():
        (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def answer() -> bytes:
    """Return five Spring AI documents of 500 characters, a usual answer."""
    documents: list[dict[str, Any]] = [
        {
            "id": f"mq-{number}",
            "text": "消费者组的 lag 持续上升。" * 40,
            "metadata": {"source": f"runbooks/mq-{number}.md", "title": "MQ 堆积", "breadcrumb": "消息队列 > MQ"},
            "score": 0.9 - number / 10,
        }
        for number in range(5)
    ]
    return json.dumps(documents, ensure_ascii=False).encode()


async def serve(seconds: float) -> None:
    """Answer every request after `seconds`, and print the port."""
    body, times = answer(), [0.0, 0.0]
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                if request.startswith(b"GET"):
                    spent = str(times[1] - times[0]).encode()
                    times[0] = 0.0
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(spent), spent))
                    continue
                times[0] = times[0] or time.perf_counter()
                length = next(line for line in request.lower().split(b"\r\n") if line.startswith(b"content-length"))
                await reader.readexactly(int(length.split(b":")[1]))
                await asyncio.sleep(seconds)
                writer.write(head + body)
                times[1] = time.perf_counter()
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(client, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    main()
