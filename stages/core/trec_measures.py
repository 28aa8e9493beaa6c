"""Measures by the names trec_eval prints, each with our own name beside where we have one."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from stages.core.hits import Hits
from stages.core.measure_formulas import FORMULAS, Formula
from stages.core.measure_names import parse_measure

CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(tenth / 10 for tenth in range(11))
MULTIPLES = tuple(fifth / 5 for fifth in range(1, 11))

# trec_eval's word for each of our measures: with a cut-off, and without one.
WITH_CUT = {
    "P": "precision",
    "recall": "recall",
    "map_cut": "ap",
    "ndcg_cut": "ndcg",
    "success": "hit",
    "relative_P": "capped_recall",
}
WITHOUT_CUT = {
    "map": "ap",
    "Rprec": "r_precision",
    "recip_rank": "rr",
    "ndcg": "ndcg",
    "set_P": "precision",
    "set_recall": "recall",
}
GEOMETRIC = {"gm_map": "map", "gm_bpref": "bpref"}
OFFICIAL = ("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank")
DEFAULT_CUTS: dict[str, tuple[int, ...]] = {"success": (1, 5, 10), "unj": (5, 10, 20)}
NICKNAMES = {
    "official": (*OFFICIAL, "iprec_at_recall", "P"),
    "set": ("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    "all_trec": (
        *(*OFFICIAL, "iprec_at_recall", "P", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg"),
        *("binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set"),
        *("num_nonrel_judged_ret", "rbp", "rbp_resid", "unj"),
    ),
}
# Without a relevant key trec_eval has 0 for these, and we have nothing; the others of ours are nothing to it.
UNDEFINED = frozenset(("first_hit_rank", "judged", "duplicate_rate"))


class TrecMeasure(NamedTuple):
    """One value a query.

    Attributes:
        name: What it is called in the output.
        twin: The other name of the same value: ours beside trec_eval's, or trec_eval's beside ours; empty if none.
        value: The value of one query; None for a measure which is made of all queries only.
        average: How `all` is made of the queries.
        undefined: What takes the place of a value that does not exist.
        is_monotone: Whether the value never falls when the better of two neighbours in the ranking moves up.
    """

    name: str
    twin: str
    value: Callable[[Hits], Any] | None
    average: Literal["mean", "sum", "geometric", "queries"] = "mean"
    undefined: float | None = 0.0
    is_monotone: bool = False


def parse_trec_measures(names: Sequence[str]) -> list[TrecMeasure]:
    """All measures that the names stand for, in their order, each once.

    A name is trec_eval's (`map`, `P_10`, `P.5,10`, `ndcg_cut` for its usual cut-offs, `official`, `set`, `all_trec`) or
    ours (`recall@5`).

    Raises:
        ValueError: A name that is neither.
    """
    found: dict[str, TrecMeasure] = {}
    for name in names:
        for measure in _expand(name):
            found.setdefault(measure.name, measure)
    return list(found.values())


def _expand(name: str) -> list[TrecMeasure]:
    if name in NICKNAMES:
        return [measure for part in NICKNAMES[name] for measure in _expand(part)]
    if name in ("num_q", *GEOMETRIC):
        return [TrecMeasure(name, "", None, "queries" if name == "num_q" else "geometric")]
    if name in WITHOUT_CUT:
        return [_ours(name, WITHOUT_CUT[name], WITHOUT_CUT[name])]
    family, _, given = name.partition(".")
    if not given and (one := re.fullmatch(r"(.+)_([0-9][0-9.]*)", name)):
        family, given = one.groups()
    found = _family(family, given.split(",") if given else [])
    return found or (_own(name) if name.partition("@")[0] in FORMULAS else _further(name))


def _further(name: str) -> list[TrecMeasure]:
    # Imported where they are asked for: a short run should not wait for what it does not use.
    from stages.core.trec_formulas import COUNTS, OTHERS

    if name in COUNTS:
        return [TrecMeasure(name, "", COUNTS[name], "sum")]
    return [TrecMeasure(name, "", OTHERS[name])] if name in OTHERS else _own(name)


def _family(family: str, given: list[str]) -> list[TrecMeasure]:
    if family in ("iprec_at_recall", "Rprec_mult"):
        return [_fraction(family, fraction) for fraction in _fractions(family, given)]
    if family not in (*WITH_CUT, "unj") or not all(re.fullmatch("[1-9][0-9]{0,8}", cut) for cut in given):
        return []
    cuts = sorted(map(int, given)) or DEFAULT_CUTS.get(family, CUTS)
    if family == "unj":
        from stages.core.trec_formulas import unjudged

        return [TrecMeasure(f"unj_{k}", "", partial(unjudged, k=k)) for k in cuts]
    return [_ours(f"{family}_{k}", f"{WITH_CUT[family]}@{k}", WITH_CUT[family], k) for k in cuts]


def _fractions(family: str, given: list[str]) -> Sequence[float]:
    if not all(re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?|\.[0-9]{1,6}", fraction) for fraction in given):
        return ()
    return sorted(map(float, given)) or (TENTHS if family == "iprec_at_recall" else MULTIPLES)


def _fraction(family: str, fraction: float) -> TrecMeasure:
    from stages.core.trec_formulas import interpolated_precision, precision_at_multiple

    if family == "iprec_at_recall":
        return TrecMeasure(f"{family}_{fraction:.2f}", "", partial(interpolated_precision, recall=fraction))
    return TrecMeasure(f"{family}_{fraction:.2f}", "", partial(precision_at_multiple, multiple=fraction))


def _ours(name: str, twin: str, base: str, k: int | None = None) -> TrecMeasure:
    undefined = None if base in UNDEFINED else 0.0
    return TrecMeasure(name, twin, _bound(FORMULAS[base], k), undefined=undefined, is_monotone=base != "judged")


def _own(name: str) -> list[TrecMeasure]:
    try:
        _, k = parse_measure(name)
    except ValueError as error:
        raise ValueError(f"{error}; trec_eval's names too, such as map, P_10, ndcg_cut.5,10 and official") from None
    base = name.partition("@")[0]
    twins = [word for word, ours in (WITHOUT_CUT if k is None else WITH_CUT).items() if ours == base]
    twin = twins[0] + (f"_{k}" if k else "") if twins else ""
    return [_ours(name, twin, base, k)]


def _bound(formula: Formula, k: int | None) -> Callable[[Hits], Any]:
    return lambda hits: formula(hits, k)
