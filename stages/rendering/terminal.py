"""What a run says on the terminal when the input is faulty."""

import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper

from stages.records.problem import InputError, Problem

BAD_INPUT = 2
INTERRUPTED = 130
READER_GONE = 141


def run_reporting(main: Callable[[], int | None]) -> int:
    """Run `main` and return its exit code; faulty input becomes one line a problem and code 2, no traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = main() or 0
        sys.stdout.flush()
    except InputError as error:
        print(problem_lines(error.problems), file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away, as `head` does. Not 0: whoever asks for the verdict must not read a pass.
        _say_no_more()
        return READER_GONE
    except OSError as error:
        _say_no_more()
        what = f"the operating system refused: {error.strerror}"
        place = str(error.filename or "standard output")
        problem = Problem(place, 0, 0, "", what, "Make room, or choose another place")
        print(problem_lines([problem]), file=sys.stderr)
        return BAD_INPUT
    return code


def _say_no_more() -> None:
    """Let what is still in the buffer go nowhere, so that nothing is said at the interpreter's exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def problem_lines(problems: Sequence[Problem]) -> str:
    """Return the problems sorted by place, one a line, and their number on the last line."""
    lines = [str(problem) for problem in sorted(problems)]
    return "\n".join([*lines, "1 problem" if len(lines) == 1 else f"{len(lines)} problems"])
