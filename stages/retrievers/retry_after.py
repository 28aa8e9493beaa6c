"""The Retry-After header: seconds, or a date."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(header: str | None) -> float | None:
    """Return how long a service asks to wait, None where it says nothing that can be understood."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
