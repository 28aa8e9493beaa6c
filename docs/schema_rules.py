"""What a loader refuses and pydantic's schema does not know, in draft-07: additions by the model they belong to.

tests/docs/test_schema_verdicts.py holds every schema against its loader; docs/authoring.md says what no schema can say.
"""

import re
from typing import Any

from stages.records.plain_secret import LOGIN, NAME
from stages.records.secret_name import SECRET_WORD
from stages.storage.presets import read_presets

Schema = dict[str, Any]

# At least one sign beside blanks and the punctuation that people type; the loader knows all of Unicode's.
HOLDS_SOMETHING = r"""[^\s!"#%&'()*,\-./:;?@\[\\\]_{}、。！？，：；…—（）【】《》「」『』“”‘’·]"""
TEXT = {"pattern": HOLDS_SOMETHING}
SCALARS = {"type": ["string", "number", "boolean"]}


def given(name: str, **rule: Any) -> Schema:
    """Return the schema of an object which has this property, and has it so."""
    return {"required": [name], "properties": {name: rule}}


def _any_case(word: str, between: str = "[^A-Za-z]*") -> str:
    """Return a pattern for a word in any case, whatever stands between and after its letters: draft-07 has no flags."""
    letters = [f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word]
    return between.join(letters).replace(f"{between}?", "?")


def _secret_words(between: str = "[^A-Za-z]*") -> str:
    words = re.findall("[a-z?]+", SECRET_WORD.pattern)
    return f"({'|'.join(_any_case(word, between) for word in words)}){between}"


SECRET_NAME = f"{_secret_words()}$"
# Of an address: a parameter with such a name, and something behind it that names no variable.
SECRET_PARAMETER = rf"[?&;#][^=&;#?]*{_secret_words('[^A-Za-z=&;#?]*')}=(?![^&;#]*\$\{{)[^&;#]"
PLACEHOLDERS = {"pattern": rf"^(?![\s\S]*\$\{{(?!{NAME}\}}))"}
URL = {
    "pattern": rf"^(https?://|\$\{{{NAME}\}})",
    "not": {"pattern": f"{LOGIN}|{SECRET_PARAMETER}"},
    "allOf": [PLACEHOLDERS],
}
SENT: Schema = {"allOf": [{"$ref": "#/definitions/Sent"}]}
SECRET: Schema = {"$ref": "#/definitions/Secret"}
# All that is sent, at any depth: no broken placeholder, and nothing under a secret's name but what names a variable.
SENT_DATA: Schema = {
    "Sent": {
        **PLACEHOLDERS,
        "items": {"$ref": "#/definitions/Sent"},
        "patternProperties": {SECRET_NAME: SECRET},
        "additionalProperties": {"$ref": "#/definitions/Sent"},
    },
    "Secret": {**SENT, "pattern": r"^$|\$\{", "not": {"type": "number"}, "items": SECRET},
}
WHOLE_ANSWER = {
    "required": ["fields"],
    "oneOf": [given("items", type="string"), given("columns", type="object")],
    "properties": {
        "fields": {"anyOf": [given(name, type="string") for name in ("doc_id", "chunk_id", "title", "source")]}
    },
}


def _unless_preset(section: str, rule: Schema) -> Schema:
    """Return a rule that holds where no preset brings the section, of which only a part may stand beside it."""
    bringing = [name for name, preset in read_presets().items() if section in preset]
    return {"if": given("preset", enum=bringing), "else": rule}


RULES: dict[str, Schema] = {
    "Expectation": {
        "oneOf": [given("doc_id", type="string"), given("label", type="string")],
        "properties": {"doc_id": TEXT, "label": TEXT, "section": TEXT},
    },
    "Expected": {
        "properties": {"documents": {"uniqueItems": True, "contains": {"properties": {"relevance": {"minimum": 1}}}}}
    },
    "Evidence": {
        "anyOf": [given("keywords", minItems=1), given("breadcrumbs", minItems=1)],
        "properties": {"keywords": {"items": TEXT}, "breadcrumbs": {"items": {"contains": TEXT}}},
    },
    "StructuredQuery": {
        "anyOf": [
            given("rule_result", type="string", **TEXT),
            given("rule_result", type="object", minProperties=1),
            given("metrics", minProperties=1),
        ]
    },
    "GoldenCase": {"properties": {"query": TEXT}},
    "Recording": {"anyOf": [given("candidates"), given("state", const="error")]},
    "Bm25Params": {"properties": {"index_fields": {"uniqueItems": True}}},
    "HybridWeights": {"anyOf": [given(arm, exclusiveMinimum=0) for arm in ("bm25", "milvus")]},
    "Request": {
        "properties": {
            "url": URL,
            "headers": SENT,
            "params": {"additionalProperties": {"anyOf": [SCALARS, {"type": "array", "items": SCALARS}]}, **SENT},
            "body": SENT,
        }
    },
    "Embedding": {"properties": {"url": URL, "headers": SENT, "body": SENT}},
    "Health": {"properties": {"url": URL, "headers": SENT}},
    "Answer": {"required": []},
    "Score": {"required": []},
    "ServiceFile": {"definitions": SENT_DATA},
    "Service": {
        "required": ["request"],
        "properties": {
            "preset": {"enum": list(read_presets()), "description": "What this service starts from"},
            "tls_ca_file": PLACEHOLDERS,
        },
        "allOf": [
            _unless_preset("answer", given("answer", **WHOLE_ANSWER)),
            _unless_preset("score", {"properties": {"score": {"required": ["kind", "better"]}}}),
        ],
    },
}


def merged(schema: Any, addition: Any) -> Any:
    """Return a schema with an addition: mappings are merged, everything else is replaced."""
    if not isinstance(schema, dict) or not isinstance(addition, dict):
        return addition
    return {**schema, **{key: merged(schema.get(key), value) for key, value in addition.items()}}
