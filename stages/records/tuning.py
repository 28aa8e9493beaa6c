"""What `tune` found: the same settings on the half they were chosen on, and on the half they never saw."""

from typing import Literal

from stages.records.record import Record

Verdict = Literal["gain", "loss", "within_resolution"]


class Setting(Record):
    """One way to fuse, with the mean of the metric on each half."""

    name: str
    rrf_k: float | None
    weights: dict[str, float]
    tuned_value: float
    held_out_value: float


class TuningReport(Record):
    """The search, its result, and whether the gain is more than the set can resolve.

    `better`, `worse` and `same` compare the tuned with the current setting, case by case, on the held-out half;
    `p_one_sided` is the exact sign test of that split, in the direction of the mean.
    """

    metric: str
    grain: str
    seed: int
    tuned_cases: int
    held_out_cases: int
    left_out: dict[str, int]
    settings_tried: int
    current: Setting
    tuned: Setting
    arms: tuple[Setting, ...]
    better: int
    worse: int
    same: int
    p_one_sided: float
    verdict: Verdict
    resolution: str
