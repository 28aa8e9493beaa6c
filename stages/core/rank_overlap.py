"""How alike two rankings are, without asking which is right."""

from collections.abc import Sequence

PERSISTENCE = 0.9


def overlap(one: Sequence[str], other: Sequence[str], k: int) -> float | None:
    """Keys shared by the first k of both / the keys of the longer of the two; None if both are empty.

    Identical rankings give 1 at every k, however short they are. A key counts once.
    """
    first, second = set(one[:k]), set(other[:k])
    longer = max(len(first), len(second))
    return len(first & second) / longer if longer else None


def jaccard(one: Sequence[str], other: Sequence[str], k: int) -> float | None:
    """Keys shared by the first k of both / keys in either; None if both are empty."""
    first, second = set(one[:k]), set(other[:k])
    return len(first & second) / len(first | second) if first or second else None


def rank_biased_overlap(one: Sequence[str], other: Sequence[str], persistence: float = PERSISTENCE) -> float | None:
    """Rank-biased overlap, extrapolated: 1 for identical rankings, 0 for disjoint ones; the top weighs most.

    A reader who goes on to the next rank with probability `persistence` looks at both rankings; the value is the
    overlap to expect of what was read. Beyond the end of a ranking the agreement seen last goes on (point estimate of
    Webber, Moffat, Zobel: A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010, equation 32, which
    also takes rankings of unequal length). A key counts once, and later keys move up. Both rankings empty: None;
    one of them empty: 0.

    Raises:
        ValueError: `persistence` is not between 0 and 1, both excluded.
    """
    if not 0 < persistence < 1:
        raise ValueError(f"the persistence of rank-biased overlap lies between 0 and 1, not {persistence}")
    short, long = sorted((list(dict.fromkeys(one)), list(dict.fromkeys(other))), key=len)
    if not short:
        return 0.0 if long else None
    shared = _shared_by_depth(short, long)
    return _extrapolate(shared, len(short), persistence)


def _shared_by_depth(short: Sequence[str], long: Sequence[str]) -> list[int]:
    """How many keys the first d of both share, for d = 1 .. length of the longer."""
    in_short, in_long = set[str](), set[str]()
    shared = [0]
    for depth, key in enumerate(long):
        other = short[depth] if depth < len(short) else None
        fresh = int(key in in_short or key == other)
        in_long.add(key)
        if other is not None:
            fresh += other in in_long and other != key
            in_short.add(other)
        shared.append(shared[-1] + fresh)
    return shared[1:]


def _extrapolate(shared: list[int], shorter: int, persistence: float) -> float:
    longer = len(shared)
    at_shorter, at_longer = shared[shorter - 1], shared[-1]
    total = 0.0
    for depth, count in enumerate(shared, 1):
        assumed = at_shorter * max(0, depth - shorter) / shorter
        total += (count + assumed) / depth * persistence**depth
    tail = (at_longer - at_shorter) / longer + at_shorter / shorter
    return (1 - persistence) / persistence * total + tail * persistence**longer
