"""The base of every record: strict, frozen, and finite."""

from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema

SCALARS = ("int", "float", "bool", "str")


def _strict(schema: Any) -> Any:
    """Return a schema of pydantic's with every scalar in it strict, except where a field says otherwise."""
    if isinstance(schema, (list, tuple)):
        return type(schema)(_strict(part) for part in schema)
    if not isinstance(schema, dict):
        return schema
    strict = {"strict": True} if schema.get("type") in SCALARS else {}
    return strict | {key: _strict(part) for key, part in schema.items()}


class Record(BaseModel):
    """A frozen model which refuses unknown fields, NaN and infinity, and takes a scalar for nothing but what it is.

    No text is a number, no number a text, and a truth value is neither; a whole number will do for any number. A list
    still makes a tuple: JSON and YAML know nothing else, so pydantic's own strict mode would refuse every file.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema by which pydantic validates, with strict scalars."""
        schema: CoreSchema = _strict(handler(source))
        return schema
