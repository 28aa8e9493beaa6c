"""A place to write a file that somebody else's program might have written."""

import json

import pytest


@pytest.fixture
def written(tmp_path):
    def write(name: str, value: object) -> object:
        path = tmp_path / name
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def told():
    """Problems as sentences, without the temporary folder."""

    def tell(problems) -> list[str]:
        return [str(problem).rpartition("/")[2] for problem in problems]

    return tell


@pytest.fixture
def golden_folder(request):
    return request.config.rootpath / "data" / "golden"
