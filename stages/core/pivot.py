"""One metric by group and path: the table that shows where paths part ways."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from stages.core.aggregating import GROUPS
from stages.records.scored import ScoredCase, ScoredPath

EVERY_CASE = "all"
LEVEL_METRICS = ("strong", "medium", "miss")


def pivot(paths: Mapping[str, ScoredPath], by: str, metric: str) -> pd.DataFrame:
    """Return the mean of `metric` by group (rows, sorted, then `all`) and path.

    The columns are `<path>` and `<path> n`, in the order given. Cases without the metric are in no mean; a group
    without any has NaN and n 0. `strong`, `medium` and `miss` are shares of the scored cases.

    Raises:
        KeyError: no scored case has that metric.
    """
    rows = [row for name, path in paths.items() for case in path.cases for row in _rows(name, case, by, metric)]
    values = pd.DataFrame(rows, columns=["path", "group", "value"]).astype({"value": float})
    if rows and values["value"].isna().all():
        raise KeyError(metric)
    order = [*sorted(set(values["group"]) - {EVERY_CASE}), EVERY_CASE]
    wide = values.pivot_table(index="group", columns="path", values="value", aggfunc=["mean", "count"])
    columns: dict[str, pd.Series[Any]] = {}
    for name in paths:
        columns[name] = _column(wide, "mean", name, order)
        columns[f"{name} n"] = _column(wide, "count", name, order).fillna(0).astype(int)
    return pd.DataFrame(columns).rename_axis(by)


def _column(wide: pd.DataFrame, kind: str, path: str, order: list[str]) -> "pd.Series[Any]":
    known = wide[kind, path] if (kind, path) in wide.columns else pd.Series(dtype=float)
    return known.reindex(order)


def known_metrics(paths: Mapping[str, ScoredPath]) -> list[str]:
    """Return the metrics that can be asked for."""
    names = {name for path in paths.values() for case in path.cases for name in case.metrics}
    return [*LEVEL_METRICS, *sorted(names)]


def _rows(path: str, case: ScoredCase, by: str, metric: str) -> Iterator[tuple[str, str, float | None]]:
    if case.level is None:
        return
    value = float(case.level == metric) if metric in LEVEL_METRICS else case.metrics.get(metric)
    for group in (*GROUPS[by](case), EVERY_CASE):
        yield path, group, value
