"""How to read any JSON answer of a retrieval service: expressions, as written in `services.yaml`."""

from typing import Annotated, Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from pydantic import AfterValidator, Field, model_validator

from stages.records.record import Record


def _compiled(expression: str) -> str:
    """Refuse what does not parse, calls unknown functions, or is a constant where a key was meant."""
    try:
        tree = jmespath.compile(expression).parsed
    except JMESPathError as error:
        raise ValueError(f"this is no JMESPath expression ({str(error).splitlines()[0].rstrip(':.')})") from None
    unknown = sorted(_functions(tree) - set(Functions.FUNCTION_TABLE))
    if unknown:
        raise ValueError(f"JMESPath has no function {unknown[0]!r}")
    if tree["type"] == "literal":
        raise ValueError("this is a constant and finds nothing; a key with special letters stands in double quotes")
    return expression


def _functions(tree: Any) -> set[str]:
    found = {tree["value"]} if tree["type"] == "function_expression" else set()
    return found.union(*(_functions(child) for child in tree["children"] if isinstance(child, dict)))


Expression = Annotated[str, AfterValidator(_compiled)]


class Fields(Record):
    """One expression a field of a candidate, each searched in one item; a field left out is unknown."""

    doc_id: Expression | None = None
    title: Expression | None = None
    source: Expression | None = None
    section: Expression | None = None
    breadcrumb: Expression | None = Field(None, description="Gives a text or a list of texts, from the top down")
    category: Expression | None = None
    chunk_id: Expression | None = None
    content: Expression | None = None
    score: Expression | None = Field(None, description="Gives a number, or a text which is one")
    score_label: Expression | None = None


class Answer(Record):
    """From the JSON answer to items, and from each item to a candidate."""

    ok_when: Expression | None = Field(None, description="True for a success; left out, every 2xx answer is one")
    message: Expression | None = Field(None, description="The service's own words when it failed")
    partial_when: Expression | None = Field(None, description="True when the ranking is incomplete or degraded")
    items: Expression | None = Field(None, description="The list of results; exactly one of items and columns")
    columns: dict[str, Expression] | None = Field(None, description="One list a key; row n makes item n")
    empty_when_missing: bool = Field(default=False, description="No items at all means an empty list")
    json_strings: tuple[str, ...] = Field((), description="Dotted keys, within an item, of texts which hold JSON")
    fields: Fields
    breadcrumb_separator: str | None = Field(None, min_length=1, description="Splits a breadcrumb which is one text")
    doc_id_from_path: bool = Field(default=False, description="doc_id finds a path; the id is its file's stem")
    index: dict[str, Expression] = Field(default_factory=dict, description="Metadata of the index: version, count, ...")
    raw: dict[str, Expression] = Field(default_factory=dict, description="Parts to keep for review; `@` is everything")

    @model_validator(mode="after")
    def _one_way(self) -> "Answer":
        if (self.items is None) == (self.columns is None):
            raise ValueError("exactly one of items and columns tells where the results are")
        if not any((self.fields.doc_id, self.fields.chunk_id, self.fields.title, self.fields.source)):
            raise ValueError("fields finds none of doc_id, chunk_id, title and source, so no result has a name")
        return self
