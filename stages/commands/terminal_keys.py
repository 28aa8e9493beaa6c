"""Keys from the terminal, without Enter where the terminal can."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def terminal_keys() -> Iterator[Callable[[], str]]:
    """Yield a function that returns the next key in lower case, and `q` when the input ends.

    Blanks and line ends are passed over, so that keys may come through a pipe. What was typed ahead is kept. The
    terminal is as before afterwards, whatever happens.
    """
    if not sys.stdin.isatty():
        yield _next_sign
        return
    try:
        import termios
        import tty
    except ImportError:  # a system without terminals of this kind: a line at a time
        yield lambda: input().strip().lower()[:1]
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSADRAIN)
        yield _next_sign
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _next_sign() -> str:
    sign = sys.stdin.read(1)
    while sign.isspace():
        sign = sys.stdin.read(1)
    return sign.lower() or "q"
