"""Independent inputs are read so that a fault of one hides none of another."""

import pytest

from stages.records.problem import InputError, Problem
from stages.storage.reading import Reading


def faulty(*files):
    raise InputError([Problem(file, 0, 0, "", "it is broken", "Mend it") for file in files])


def interrupt():
    raise KeyboardInterrupt


def raised(kind, read_all):
    with pytest.raises(kind) as error, Reading() as reading:
        read_all(reading.of)
    return error


def files_of(error):
    return [problem.file for problem in error.value.problems]


def test_everything_that_is_wrong_is_told_at_once():
    error = raised(InputError, lambda read: [read(faulty, "b", "c"), read(str, 1), read(faulty, "a")])
    assert files_of(error) == ["a", "b", "c"]


def test_what_is_sound_is_returned():
    with Reading() as reading:
        number, text = reading.of(int, "7"), reading.of("x".join, ["a", "b"])
    assert (number, text) == (7, "axb")


def test_what_is_raised_in_the_block_itself_is_told_too():
    error = raised(InputError, lambda read: [read(faulty, "b"), faulty("a")])
    assert files_of(error) == ["a", "b"]


def test_whoever_stumbles_over_a_missing_value_does_not_hide_why_it_is_missing():
    error = raised(InputError, lambda read: read(faulty, "a").upper())
    assert files_of(error) == ["a"]


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyboardInterrupt])
def test_anything_else_goes_through(kind):
    with pytest.raises(kind), Reading():
        raise kind


def test_ctrl_c_is_no_fault_of_the_input():
    raised(KeyboardInterrupt, lambda read: [read(faulty, "a"), interrupt()])
