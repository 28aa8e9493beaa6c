"""A word for a score, from the bands which its path declares."""

from stages.records.services import Score


def score_label(value: float | None, score: Score) -> str | None:
    """Return the label of the first band that `value` reaches; None without a score or beyond the last limit.

    Limits belong to their band: with `better: higher`, 0.8 is in the band `limit: 0.8`.
    """
    if value is None:
        return None
    sign = 1 if score.better == "higher" else -1
    for band in score.bands:
        if band.limit is None or sign * value >= sign * band.limit:
            return band.label
    return None
