"""Plain data as the YAML that a person would write: one line, quotes only where they are needed."""

import json
from collections.abc import Mapping
from typing import Any

from stages.records.problem import InputError
from stages.storage.yaml_file import parse_yaml


def flow_text(value: Any) -> str:
    """Return a value as YAML on one line: `{doc_id: mq, section: 核心指标}`, `[a, b]`, or a scalar."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{scalar_text(str(key))}: {flow_text(item)}" for key, item in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(flow_text(item) for item in value)}]"
    return scalar_text(value)


def scalar_text(value: Any) -> str:
    """Return a scalar, plain where our reader takes it for what it is, also inside brackets; else quoted."""
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        if parse_yaml(f"[{value}]", "").data == [value] and parse_yaml(f"{{k: {value}}}", "").data == {"k": value}:
            return value
    except InputError:
        pass
    return quoted_text(value)


def quoted_text(value: str) -> str:
    """Return a text in double quotes, which JSON and YAML write alike."""
    text = json.dumps(value, ensure_ascii=False)
    # YAML forbids these unescaped; JSON does not.
    return "".join(f"\\u{ord(sign):04x}" if _unprintable(sign) else sign for sign in text)


def _unprintable(sign: str) -> bool:
    code = ord(sign)
    return code in {0x7F, 0xFEFF, 0xFFFE, 0xFFFF, 0x2028, 0x2029} or 0x80 <= code < 0xA0  # noqa: PLR2004 (the C1 block)
