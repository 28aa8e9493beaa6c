"""A collection that is built from the corpus and knows from what: its name ends in the digest of what went in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from stages.retrievers.embedder import Vectors
from stages.retrievers.failure import EngineFailure
from stages.retrievers.milvus_session import MilvusSession

DENSE, SPARSE = "dense", "sparse"
INDEX_OF = {DENSE: ("FLAT", "COSINE"), SPARSE: ("SPARSE_INVERTED_INDEX", "IP")}
TEXT_FIELDS = {"chunk_id": 1024, "doc_id": 1024, "section": 1024, "category": 256, "lang": 64}
# Milvus refuses an empty sparse vector; no query has this term, so a row with it alone is never found.
NO_TERM = 0
ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class IndexRows:
    """What goes into a collection.

    Attributes:
        texts: One mapping a chunk with the fields of TEXT_FIELDS; a field that has no value is empty.
        dense: One vector a chunk.
        sparse: One mapping from term number (1 and up) to weight a chunk.
    """

    texts: Sequence[Mapping[str, str]]
    dense: Vectors
    sparse: Sequence[Mapping[int, float]]


@dataclass(frozen=True)
class Collection:
    """A collection that is ready to be searched."""

    session: MilvusSession
    name: str
    dimensions: int
    count: int
    built: bool


@dataclass(frozen=True)
class CollectionPlan:
    """Which collection is wanted.

    Attributes:
        family: The first part of the name, common to all versions.
        digest: Hex digest of all that the content depends on; its first 12 digits end the name.
        when_stale: What to do when only other members of the family are there.
    """

    family: str
    digest: str
    when_stale: Literal["rebuild", "refuse"] = "rebuild"

    @property
    def name(self) -> str:
        """The name says what is inside, since no two versions of Milvus keep descriptions alike."""
        return f"{self.family}_{self.digest[:12]}"


def ensure_collection(session: MilvusSession, plan: CollectionPlan, rows: IndexRows) -> Collection:
    """Return the collection of exactly this content, which is built where it is missing or was left unfinished.

    Other members of the family are stale; they are dropped once the new one is complete.

    Raises:
        EngineFailure: `stale_collection` when only older ones are there and the plan says `refuse`; `wrong_schema`;
            `incomplete_build`; anything the engine did.
    """
    count, there = len(rows.texts), _family(session, plan.family)
    if plan.name in there:
        dimensions = _checked_dimensions(session, plan.name)
        if _indexed(session, plan.name) and _count(session, plan.name) == count:
            return Collection(session, plan.name, dimensions, count, built=False)
    if there and plan.when_stale == "refuse":
        reason = f"Milvus holds {', '.join(there)}, but this corpus and embedder need a whole {plan.name}"
        raise EngineFailure("stale_collection", reason)
    _build(session, plan.name, rows)
    for old in there:
        if old != plan.name:
            session.ask("drop_collection", old)
    return Collection(session, plan.name, _checked_dimensions(session, plan.name), count, built=True)


def _family(session: MilvusSession, family: str) -> list[str]:
    member = re.compile(rf"{re.escape(family)}_[0-9a-f]{{12}}")
    return sorted(name for name in session.ask("list_collections") if member.fullmatch(name))


def _count(session: MilvusSession, name: str) -> int:
    """Return the number of rows; a build that was cut off has too few."""
    session.ask("load_collection", name)
    return int(session.ask("query", name, filter="", output_fields=["count(*)"])[0]["count(*)"])


def _build(session: MilvusSession, name: str, rows: IndexRows) -> None:
    from pymilvus import MilvusClient

    if name in session.ask("list_collections"):
        session.ask("drop_collection", name)
    indexes = MilvusClient.prepare_index_params()
    for field, (kind, metric) in INDEX_OF.items():
        # Named here, since servers of different versions name an index differently.
        indexes.add_index(field, index_name=field, index_type=kind, metric_type=metric)
    schema = _schema(rows.dense.shape[1])
    session.ask("create_collection", name, schema=schema, consistency_level="Strong")
    # Not waited for: the client waits for an index without a limit, and an empty one is there at once.
    session.ask("create_index", name, indexes, sync=False)
    for batch in _batches(rows):
        session.ask("insert", name, batch)
    session.ask("flush", name)
    stored = _count(session, name)
    if stored != len(rows.texts):
        raise EngineFailure(
            "incomplete_build", f"Milvus holds {stored} rows of {name} after {len(rows.texts)} were sent"
        )


def _schema(dimensions: int) -> Any:
    from pymilvus import DataType, MilvusClient

    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    for field, length in TEXT_FIELDS.items():
        schema.add_field(field, DataType.VARCHAR, max_length=length, is_primary=field == "chunk_id")
    schema.add_field(DENSE, DataType.FLOAT_VECTOR, dim=dimensions)
    schema.add_field(SPARSE, DataType.SPARSE_FLOAT_VECTOR)
    return schema


def _batches(rows: IndexRows) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows.texts), ROWS_AT_ONCE):
        end = start + ROWS_AT_ONCE
        parts = zip(rows.texts[start:end], rows.dense[start:end], rows.sparse[start:end], strict=True)
        yield [{**text, DENSE: dense.tolist(), SPARSE: dict(sparse) or {NO_TERM: 1.0}} for text, dense, sparse in parts]


def _checked_dimensions(session: MilvusSession, name: str) -> int:
    """Return the length of the dense vectors of a collection whose fields are ours."""
    fields = {field["name"]: field for field in session.ask("describe_collection", name)["fields"]}
    expected = {*TEXT_FIELDS, DENSE, SPARSE}
    if set(fields) != expected:
        odd = ", ".join(sorted(set(fields) ^ expected))
        raise EngineFailure("wrong_schema", f"the collection {name} was not made by this program: it differs in {odd}")
    return int(fields[DENSE]["params"]["dim"])


def _indexed(session: MilvusSession, name: str) -> bool:
    """Return whether both indexes are there, and not those of another program."""
    there = set(session.ask("list_indexes", name))
    for field, wanted in INDEX_OF.items():
        index = session.ask("describe_index", name, index_name=field) if field in there else None
        if index and (index["index_type"], index["metric_type"]) != wanted:
            reason = f"the field {field} of {name} has the index {index['index_type']}/{index['metric_type']}"
            raise EngineFailure("wrong_schema", f"{reason}, not {'/'.join(wanted)}")
    return there >= INDEX_OF.keys()
