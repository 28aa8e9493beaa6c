"""What the pipeline costs beside DVC itself: `dvc repro` against the same DAG with `true` as every command.

Run: python benchmarks/bench_repro.py [ROUNDS]
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from as_installed import compile_package
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5


def main() -> None:
    """Print a table of medians, measured in turns."""
    with tempfile.TemporaryDirectory() as folder:
        real, empty = _clone(Path(folder) / "real"), _clone(Path(folder) / "true")
        compile_package(real)
        _empty_commands(empty)
        times: dict[str, list[float]] = {"cold real": [], "cold true": [], "no-op real": [], "no-op true": []}
        for _ in range(ROUNDS):
            for name, clone in (("real", real), ("true", empty)):
                _forget(clone)
                times[f"cold {name}"].append(_timed(clone))
                times[f"no-op {name}"].append(_timed(clone))
    print("| repro | pipeline | same DAG, `true` | ratio |\n| --- | ---: | ---: | ---: |")
    for kind in ("cold", "no-op"):
        ours, theirs = (statistics.median(times[f"{kind} {name}"]) for name in ("real", "true"))
        print(f"| {kind} | {ours:.2f} s | {theirs:.2f} s | {ours / theirs:.2f} |")


def _clone(folder: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    return folder


def _empty_commands(clone: Path) -> None:
    """Replace every command by `true`; outputs exist already and are kept, since DVC wants them."""
    yaml = YAML()
    file = clone / "dvc.yaml"
    pipeline = yaml.load(file)
    for stage in pipeline["stages"].values():
        body = stage.get("do", stage)
        body["cmd"] = "true"
        for kind in ("outs", "metrics"):
            if kind in body:
                body[kind] = [_kept(out) for out in body[kind]]
    yaml.dump(pipeline, file)
    subprocess.run(["dvc", "repro", "--quiet"], cwd=ROOT, check=True)
    shutil.copytree(ROOT / "data/build", clone / "data/build")


def _kept(out: str | dict[str, dict[str, bool]]) -> dict[str, dict[str, bool]]:
    name, options = (out, {}) if isinstance(out, str) else next(iter(out.items()))
    return {name: {**options, "persist": True}}


def _forget(clone: Path) -> None:
    """Remove all that DVC remembers of earlier runs."""
    for name in (".dvc/cache", ".dvc/tmp", "dvc.lock"):
        path = clone / name
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()


def _timed(clone: Path) -> float:
    start = time.perf_counter()
    subprocess.run(["dvc", "repro", "--quiet"], cwd=clone, check=True)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
