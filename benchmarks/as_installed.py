"""What is timed is compiled first, as an installed package is.

Else a machine that keeps no bytecode of a checkout (PYTHONDONTWRITEBYTECODE, usual in containers) would time Python's
compiler on our side, and not on that of the peers, which an installer has compiled.
"""

import compileall
import os
from pathlib import Path

ROOT = Path(__file__).parents[1]


def compile_package(root: Path = ROOT) -> None:
    """Compile `stages` under `root`; what this process starts keeps bytecode, wherever it runs."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir(root / "stages", quiet=1)
