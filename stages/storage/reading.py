"""Several independent inputs, read so that a fault of one hides none of another."""

from collections.abc import Callable
from types import TracebackType
from typing import ParamSpec, Self, TypeVar, cast

from stages.records.problem import InputError, Problem

P = ParamSpec("P")
T = TypeVar("T")


class Reading:
    """Reads inputs one after the other, and raises at the end of its block what is wrong with all of them.

        with Reading() as reading:
            cases = reading.of(golden_cases, args.golden)
            chunks = reading.of(read_corpus, args.corpus)

    What `of` returned is only sound once the block has ended.
    """

    def __init__(self) -> None:
        self._problems: list[Problem] = []

    def of(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `read` returns; where it raises an InputError, that is kept for the end of the block."""
        try:
            return read(*args, **kwargs)
        except InputError as error:
            self._problems.extend(error.problems)
            return cast("T", None)  # the end of the block raises, also if something stumbles over it

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, InputError):
            self._problems.extend(error.problems)
        if self._problems and (error is None or isinstance(error, Exception)):
            raise InputError(self._problems) from None
