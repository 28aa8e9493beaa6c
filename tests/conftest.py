"""What all tests share: a scrubbed environment, and the shared collections where they are."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# A peer that we compare with compiles for half a minute before it answers once; its plain Python answers the same.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


@pytest.fixture(autouse=True)
def _scrubbed_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may depend on what the machine happens to have set."""
    for name in list(os.environ):
        if name.upper().endswith("_PROXY") or name.startswith(("RETRIEVAL_EVAL_", "MILVUS_", "OPENAI_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared collections and reference figures beside the repository; skips where they are not."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared collections are not here")
    return folder
