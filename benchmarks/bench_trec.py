"""TREC files to five metrics: `retrieval-eval trec` against the libraries people use, as Markdown tables.

    python benchmarks/bench_trec.py [--rounds 5] [--quick]

Whole processes, from the files on disk to the printed means, in turn and not one after the other, medians of the
rounds; the peers are installed as development dependencies, and trec_eval itself is measured where it is on the PATH.
Every contender must find the same means. docs/performance.md holds the last tables.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from as_installed import compile_package

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
MEASURES = ("map", "ndcg_cut_10", "recip_rank", "P_10", "recall_100")
# As trec_eval is asked for them; it prints the names above.
ASKED = ("map", "ndcg_cut.10", "recip_rank", "P.10", "recall.100")
OURS = ("ap", "ndcg@10", "rr", "precision@10", "recall@100")
TARGETS = {"10000x100": 0.6, "1000x1000": 0.6, "10000x100 shuffled": 0.5, "1000x1000 shuffled": 0.5, "300x20": 0.5}
SLOW_PEERS = ("ir_measures", "ranx")
SLOW_ROUNDS = 1

# What the installed command starts.
INSTALLED = "import sys; from stages.__main__ import main; sys.exit(main())"
PYTREC = """
import sys, pytrec_eval
with open(sys.argv[1]) as file: qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file: run = pytrec_eval.parse_run(file)
names = ["map", "ndcg_cut.10", "recip_rank", "P.10", "recall.100"]
found = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
for name in names:
    name = name.replace(".", "_")
    print(name, pytrec_eval.compute_aggregated_measure(name, [values[name] for values in found.values()]))
"""
IR_MEASURES = """
import sys, ir_measures
from ir_measures import AP, nDCG, RR, P, R
names = {"map": AP, "ndcg_cut_10": nDCG @ 10, "recip_rank": RR, "P_10": P @ 10, "recall_100": R @ 100}
found = ir_measures.calc_aggregate(
    list(names.values()), ir_measures.read_trec_qrels(sys.argv[1]), ir_measures.read_trec_run(sys.argv[2])
)
for name, measure in names.items():
    print(name, found[measure])
"""
RANX = """
import sys
from ranx import Qrels, Run, evaluate
names = {"map": "map", "ndcg_cut_10": "ndcg@10", "recip_rank": "mrr", "P_10": "precision@10"}
names["recall_100"] = "recall@100"
qrels, run = Qrels.from_file(sys.argv[1], kind="trec"), Run.from_file(sys.argv[2], kind="trec")
found = evaluate(qrels, run, list(names.values()))
for name, ours in names.items():
    print(name, found[ours])
"""


class Task(NamedTuple):
    """One pair of files."""

    name: str
    qrels: Path
    run: Path


class Measured(NamedTuple):
    """One process: seconds of wall and of processor time, and peak memory in MB."""

    wall: float
    processor: float
    megabytes: float


def make_task(folder: Path, queries: int, depth: int, kind: str = "") -> Task:
    """Have the files written by another process: the peak memory of a process counts what its parent ever had."""
    name = f"{queries}x{depth} {kind}".strip()
    task = Task(name, folder / f"{name}.qrels", folder / f"{name}.run")
    written = [str(task.qrels), str(task.run), str(queries), str(depth), kind]
    subprocess.run([sys.executable, __file__, "--write", *written], check=True, cwd=ROOT)
    return task


def write_task(qrels_file: str, run_file: str, queries: int, depth: int, kind: str) -> None:
    """Write judgments and a run: 15 judgments a query, 10 of them in the run, scores that differ, or are `tied`."""
    generator = random.Random(queries * depth)  # noqa: S311 (repeatable, not secret)
    qrels, rows = [], []
    for query in range(queries):
        numbers = generator.sample(range(10_000_000), depth + 5)
        judged = generator.sample(numbers[:depth], min(10, depth // 2)) + numbers[depth:]
        qrels += [f"q{query} 0 doc_{number:08d} {generator.choice([0, 1, 1, 2, 3])}\n" for number in judged]
        scores = [0] * depth if kind == "tied" else sorted(generator.sample(range(30_000_000), depth), reverse=True)
        rows += [
            f"q{query} Q0 doc_{number:08d} {rank} {score / 1e6:.6f} run\n"
            for rank, (number, score) in enumerate(zip(numbers, scores, strict=False), 1)
        ]
    if kind == "shuffled":
        generator.shuffle(rows)
    Path(qrels_file).write_text("".join(qrels), encoding="utf-8")
    Path(run_file).write_text("".join(rows), encoding="utf-8")


def contenders() -> dict[str, list[str]]:
    """Command of each contender, to which the two files are added."""
    options = [option for name in ASKED for option in ("-m", name)]
    found = {
        "retrieval-eval": [sys.executable, "-c", INSTALLED, "trec", *options],
        "pytrec_eval-terrier": [sys.executable, "-c", PYTREC],
        "ir_measures": [sys.executable, "-c", IR_MEASURES],
        "ranx": [sys.executable, "-c", RANX],
    }
    program = shutil.which("trec_eval")
    if program:
        found["trec_eval (C)"] = [program, *options]
    return found


def measure(command: list[str], task: Task) -> tuple[Measured, dict[str, float]]:
    """Run one process, and read the means it printed."""
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        files = [str(task.qrels), str(task.run)]
        process = subprocess.Popen([*command, *files], stdout=output, stderr=subprocess.DEVNULL, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{command[:4]} failed on {task.name}")
        output.seek(0)
        words = [line.split() for line in output]
    return Measured(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), {
        word[0]: float(word[-1]) for word in words
    }


def interleaved(task: Task, rounds: int) -> dict[str, Measured]:
    """Medians of each contender; slow peers are left out of the later rounds."""
    found: dict[str, list[Measured]] = {}
    means: dict[str, float] = {}
    for turn in range(rounds):
        for name, command in contenders().items():
            if turn >= SLOW_ROUNDS and name in SLOW_PEERS:
                continue
            measured, printed = measure(command, task)
            found.setdefault(name, []).append(measured)
            means = means or printed
            if any(abs(printed[key] - means[key]) > 0.0001 for key in MEASURES):  # noqa: PLR2004 (four printed digits)
                raise SystemExit(f"{name} found other means on {task.name}: {printed}, not {means}")
    return {name: Measured(*map(statistics.median, zip(*runs, strict=True))) for name, runs in found.items()}


def file_table(tasks: list[Task], rounds: int) -> Iterator[str]:
    """The table of whole processes."""
    yield "| rows | tool | wall, s | × pytrec_eval | target | processor, s | × | peak, MB | × |\n"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    for task in tasks:
        found = interleaved(task, rounds)
        base = found["pytrec_eval-terrier"]
        for name, one in found.items():
            target = f"≤ {TARGETS[task.name]}" if name == "retrieval-eval" else ""
            ratios = [f"{mine:.2f}" for mine in (a / b for a, b in zip(one, base, strict=True))]
            yield f"| {task.name} | {name} | {one.wall:.3f} | {ratios[0]} | {target} |"
            yield f" {one.processor:.3f} | {ratios[1]} | {one.megabytes:.0f} | {ratios[2]} |\n"


def memory_table(tasks: list[Task], rounds: int) -> Iterator[str]:
    """The table of scoring what is in memory already."""
    yield "| rows in memory | from sorted arrays, ms | pytrec_eval's evaluate, ms | × pytrec_eval | target |\n"
    yield "| --- | --- | --- | --- | --- |\n"
    for task in tasks:
        ours, theirs = in_memory(task)
        pairs = [(timed(ours), timed(theirs)) for _ in range(rounds)]
        one, other = (statistics.median(side) for side in zip(*pairs, strict=True))
        yield f"| {task.name} | {one * 1000:.1f} | {other * 1000:.1f} | {one / other:.2f} | ≤ 0.15 |\n"


def in_memory(task: Task) -> tuple[Callable[[], object], Callable[[], object]]:
    """Both ways with their inputs ready: graded rows in rank order for ours, dictionaries for pytrec_eval."""
    # Imported here, since the peak memory of a process counts what its parent had at the fork.
    import numpy as np
    import pytrec_eval

    from stages.core.hit_arrays import UNJUDGED, hit_arrays, score_arrays

    with task.qrels.open() as file:
        judgments = pytrec_eval.parse_qrel(file)
    with task.run.open() as file:
        run = pytrec_eval.parse_run(file)
    numbers = {query: number for number, query in enumerate(run)}
    rows = [
        (numbers[query], judgments[query].get(document, UNJUDGED))
        for query, scores in run.items()
        for document in sorted(scores, key=lambda document: (scores[document], document), reverse=True)
    ]
    judged = [(numbers[query], grade) for query in run for grade in judgments[query].values()]
    query, grade = np.array(rows).T
    judged_query, judged_grade = np.array(judged).T
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {"map", "ndcg_cut.10", "recip_rank", "P.10", "recall.100"})
    return (
        lambda: score_arrays(hit_arrays(query, grade, judged_query, judged_grade, len(numbers)), list(OURS)),
        lambda: evaluator.evaluate(run),
    )


def timed(call: Callable[[], object]) -> float:
    """Seconds of one call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def growth_table(folder: Path, rounds: int) -> Iterator[str]:
    """The table of ten times the rows."""
    yield "| rows | wall, s | × the row above | processor, s | × | peak, MB |\n| --- | --- | --- | --- | --- | --- |\n"
    command = contenders()["retrieval-eval"]
    many, one = [(300, 100), (3000, 100), (30_000, 100)], [(1, 10_000), (1, 100_000), (1, 1_000_000)]
    for kind, sizes in (("", many), ("shuffled", many), ("", one), ("tied", one)):
        before: Measured | None = None
        for queries, depth in sizes:
            task = make_task(folder, queries, depth, kind)
            runs = [measure(command, task)[0] for _ in range(rounds)]
            middle = Measured(*map(statistics.median, zip(*runs, strict=True)))
            wall, processor = (
                (f"{now / then:.1f}" for now, then in zip(middle[:2], before[:2], strict=True)) if before else ("", "")
            )
            yield f"| {task.name} | {middle.wall:.3f} | {wall} | {middle.processor:.3f} | {processor} |"
            yield f" {middle.megabytes:.0f} |\n"
            before = middle


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", nargs=5, metavar="X", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="small files only, to see that it works")
    args = parser.parse_args()
    if args.write:
        write_task(*args.write[:2], *map(int, args.write[2:4]), args.write[4])
        return
    compile_package()
    sizes = [(300, 20, "")]
    if not args.quick:
        shapes = [(10_000, 100), (1_000, 1_000)]
        sizes = [(*shape, kind) for kind in ("", "shuffled") for shape in shapes] + sizes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tasks = [make_task(folder, *size) for size in sizes]
        sys.stdout.writelines(file_table(tasks, args.rounds))
        if not args.quick:
            print()
            sys.stdout.writelines(growth_table(folder, min(3, args.rounds)))
        print()
        sys.stdout.writelines(
            memory_table([task for task in tasks if task.name in ("10000x100", "1000x1000")], args.rounds)
        )
    if not shutil.which("trec_eval"):
        print("\ntrec_eval is not on the PATH and was not measured.")


if __name__ == "__main__":
    main()
