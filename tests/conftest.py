"""What every test may use."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real collections beside the repository; what needs them is skipped where they are not."""
    folder = Path(__file__).parents[1].parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared collections are not here")
    return folder
