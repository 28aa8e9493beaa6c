"""From the answer of a health request to the readiness of a path."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

import jmespath
from jmespath.exceptions import JMESPathError

from stages.core.answer_reading import keys_of
from stages.records.services import Health


@dataclass(frozen=True)
class Readiness:
    """Whether a path can be asked; code and reason where something is amiss; the reason is to be redacted."""

    status: Literal["ready", "degraded", "unavailable"]
    code: str | None = None
    reason: str | None = None


def read_health(status: int, answer: Any, health: Health) -> Readiness:
    """Return the readiness. Spring Boot says 200 and `UP`, or 503 and `DOWN`; others only have a status.

    With `ok_when`, its answer counts whatever the status, so that a service which is down in its own words is
    `health_down` and a broken gateway before it is `http_502`.
    """
    good_status = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
    message = _found(health.message, answer)
    says = f"; it says: {message}" if message not in (None, "") else ""
    if health.ok_when and isinstance(answer, dict) and _found(health.ok_when, answer) is not True:
        what = f"the health check answered {status}, and `{health.ok_when}` is not true of {keys_of(answer)}"
        return Readiness("unavailable", "health_down", f"{what}{says}")
    if not good_status:
        return Readiness("unavailable", f"http_{status}", f"the health check answered {status}{says}")
    if health.ok_when and not isinstance(answer, dict):
        return Readiness("unavailable", "bad_answer", f"the health check answered {keys_of(answer)}, not an object")
    if health.degraded_when and _found(health.degraded_when, answer) is True:
        what = f"the health check says so: `{health.degraded_when}` is true"
        return Readiness("degraded", "health_degraded", f"{what}{says}")
    return Readiness("ready")


def _found(expression: str | None, answer: Any) -> Any:
    try:
        return jmespath.search(expression, answer) if expression else None
    except JMESPathError:
        return None
