"""`services.yaml`: where the services are, how to ask them and how to read what they answer."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from stages.records.record import Record
from stages.records.service_answer import Answer, Expression


def _address(url: str) -> str:
    if not re.match(r"(https?://|\$\{[A-Za-z_][A-Za-z0-9_]*\})", url):
        raise ValueError("an address starts with http://, https:// or ${NAME}")
    return url


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    for name, value in values.items():
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(part, (str, int, float)) for part in parts):
            raise ValueError(f"{name} is neither a text nor a number nor a list of them")
    return values


Url = Annotated[str, AfterValidator(_address)]
Headers = dict[str, str]
Parameters = Annotated[dict[str, Any], AfterValidator(_flat)]


class Request(Record):
    """One request; `{{query}}`, `{{topK}}`, `{{case_id}}`, `{{vector}}` and `${NAME}` may stand in every text."""

    url: Url
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: Headers = Field(default_factory=dict)
    params: Parameters = Field(default_factory=dict, description="The query string")
    body: Any = Field(None, description="Sent as JSON; nothing is sent when left out")
    max_query_chars: int | None = Field(None, ge=1, description="A longer query is an error of the case, never cut")


class Embedding(Record):
    """Asked before the request, for services which take a vector; its answer fills `{{vector}}`."""

    url: Url
    headers: Headers = Field(default_factory=dict)
    body: Any
    vector: Expression = "data[0].embedding"


class Health(Record):
    """Asked once before a capture; without it a path counts as ready until an answer fails."""

    url: Url
    headers: Headers = Field(default_factory=dict)
    ok_when: Expression | None = Field(None, description="True when the service is up; left out, any 2xx is enough")
    degraded_when: Expression | None = None
    message: Expression | None = None


class Band(Record):
    """A label for scores from `limit` on in the better direction; the last band may have no limit."""

    label: Annotated[str, StringConstraints(min_length=1)]
    limit: float | None = None


class Score(Record):
    """What the score is. Raw scores of different kinds are never compared."""

    kind: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    better: Literal["higher", "lower"]
    bands: tuple[Band, ...] = ()

    @model_validator(mode="after")
    def _bands_in_order(self) -> "Score":
        limits = [band.limit for band in self.bands]
        if None in limits[:-1]:
            raise ValueError("only the last band may have no limit")
        numbers = [limit for limit in limits if limit is not None]
        if numbers != sorted(set(numbers), reverse=self.better == "higher"):
            raise ValueError(f"bands stand from the best to the worst, and {self.better} is better")
        return self


class Limits(Record):
    """How patient, how polite and how trusting to be."""

    connect_seconds: float = Field(5, gt=0)
    read_seconds: float = Field(30, gt=0, description="Between two pieces of an answer")
    total_seconds: float = Field(60, gt=0, description="For one attempt in all")
    attempts: int = Field(4, ge=1, description="In all, the first included")
    backoff_seconds: float = Field(0.5, ge=0, description="Before the second attempt; doubled each time")
    longest_wait_seconds: float = Field(30, ge=0, description="A longer Retry-After is not waited for")
    concurrency: int = Field(4, ge=1, le=256)
    per_second: float | None = Field(None, gt=0, description="Requests a second at most")
    max_bytes: int = Field(8 * 1024 * 1024, ge=1, description="Of one answer, unpacked")
    give_up_after: int = Field(10, ge=1, description="Cases in a row without a usable answer")


class Service(Record):
    """One path."""

    enabled: bool = True
    request: Request
    embedding: Embedding | None = None
    answer: Answer
    score: Score | None = None
    health: Health | None = None
    limits: Limits = Limits()
    tls_ca_file: str | None = Field(None, description="A PEM file, trusted beside the system's own authorities")
    proxy_from_environment: bool = Field(default=False, description="Use HTTP_PROXY, HTTPS_PROXY and NO_PROXY")
    redact_keys: tuple[str, ...] = Field((), description="Keys of answers whose values are never written")


class ServiceFile(Record):
    """The paths by name."""

    services: dict[Literal["current", "sidecar", "live"], Service]
