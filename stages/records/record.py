"""The base of every record: strict, frozen, and finite."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen model which refuses unknown fields, NaN and infinity."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
