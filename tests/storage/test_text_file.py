"""Writing is whole or not at all."""

from pathlib import Path

import pytest

from stages.records.problem import InputError
from stages.storage.json_file import dump_json
from stages.storage.text_file import read_text, write_text


def test_a_write_that_fails_leaves_the_old_text_and_no_remains(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_text(file, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(file, "new \ud800")
    assert file.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_line_ends_are_lf_and_the_mode_is_that_of_any_new_file(tmp_path: Path) -> None:
    write_text(tmp_path / "deep/er/a.txt", "x\ny\n")
    (tmp_path / "plain").write_text("x", encoding="utf-8")
    assert (tmp_path / "deep/er/a.txt").read_bytes() == b"x\ny\n"
    assert (tmp_path / "deep/er/a.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_file_larger_than_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 11)
    with pytest.raises(InputError, match="has 11 bytes, more than 10"):
        read_text(tmp_path / "big", max_bytes=10)


@pytest.mark.parametrize(("value", "text"), [(1 / 3, "0.333333"), (-1e-9, "0.0"), (2.5e-7, "0.0"), (1.0, "1.0")])
def test_floats_are_rounded_to_six_decimals_in_the_one_writer(value: float, text: str) -> None:
    assert dump_json({"v": [value]}) == f'{{\n  "v": [\n    {text}\n  ]\n}}\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_is_never_written(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        dump_json({"v": value})


def test_a_file_that_cannot_be_written_is_a_problem_and_leaves_no_remains(tmp_path: Path) -> None:
    """A folder of that name, or a file where a folder is needed."""
    (tmp_path / "taken").mkdir()
    with pytest.raises(InputError, match=r"taken: the file cannot be written: Is a directory\. Name another file"):
        write_text(tmp_path / "taken", "x")
    (tmp_path / "plain").write_text("y", encoding="utf-8")
    with pytest.raises(InputError, match="the file cannot be written"):
        write_text(tmp_path / "plain/below", "x")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["plain", "taken"]
