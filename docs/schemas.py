"""JSON Schemas (draft-07) of what people and programs write, made from the models that read them.

Draft-07, because the YAML extensions of the common editors know nothing later in full.
"""

import json
from typing import Any

from pydantic import BaseModel
from schema_rules import RULES, merged

from stages.records.accepted import AcceptedFile
from stages.records.golden import GoldenFile
from stages.records.params.audit import AuditParams
from stages.records.params.bm25 import SearchParams
from stages.records.params.embedder import EmbedderSection
from stages.records.params.fuse import FuseParams
from stages.records.params.live import AcceptanceParams
from stages.records.params.milvus import MilvusSection
from stages.records.params.reranker import RerankerSection
from stages.records.recording import PathState, Recording
from stages.records.services import ServiceFile

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
FOLDER = "docs/retrieval-eval/schema"


class Params(AuditParams, SearchParams, FuseParams, MilvusSection, EmbedderSection, RerankerSection, AcceptanceParams):
    """`params.yaml`: every section that some stage or command reads."""


MODELS: dict[str, type[BaseModel]] = {
    f"{FOLDER}/accepted.schema.json": AcceptedFile,
    f"{FOLDER}/golden.schema.json": GoldenFile,
    f"{FOLDER}/params.schema.json": Params,
    f"{FOLDER}/path-state.schema.json": PathState,
    f"{FOLDER}/recording.schema.json": Recording,
    f"{FOLDER}/services.schema.json": ServiceFile,
}


def schema_text(name: str) -> str:
    """Return the schema file of one model."""
    schema = draft_07(MODELS[name].model_json_schema())
    return json.dumps({"$schema": DRAFT_07, **schema}, ensure_ascii=False, indent=2) + "\n"


def draft_07(schema: Any) -> Any:
    """Return a schema of pydantic's (2020-12) in the words of draft-07.

    Definitions have their old name, and the rules of their loader; a reference with other words beside it stands in
    `allOf`, because draft-07 ignores what stands beside `$ref`.
    """
    if isinstance(schema, list):
        return [draft_07(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {("definitions" if key == "$defs" else key): draft_07(value) for key, value in schema.items()}
    if plain.get("type") == "object":
        plain = merged(plain, RULES.get(plain.get("title", ""), {}))
    if "$ref" not in plain:
        return plain
    reference = {"$ref": plain.pop("$ref").replace("#/$defs/", "#/definitions/")}
    return {**plain, "allOf": [reference]} if plain else reference
