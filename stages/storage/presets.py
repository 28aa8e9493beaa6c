"""The presets: named mappings as data, to be printed, changed and started from."""

from functools import cache
from pathlib import Path
from typing import Any

from stages.storage.text_file import read_text
from stages.storage.yaml_file import parse_yaml

PRESETS_FILE = Path(__file__).with_name("presets.yaml")


@cache
def read_presets() -> dict[str, dict[str, Any]]:
    """Return the presets by name; `about` describes one and is no part of a service."""
    presets: dict[str, dict[str, Any]] = parse_yaml(read_text(PRESETS_FILE), PRESETS_FILE.name).data
    return presets


def preset_text(name: str) -> str:
    """Return one preset as it is written, ready to be copied.

    Raises:
        KeyError: there is no such preset.
    """
    lines = read_text(PRESETS_FILE).splitlines()
    if name not in read_presets():
        raise KeyError(name)
    start = lines.index(f"{name}:")
    after = (number for number in range(start + 1, len(lines)) if lines[number][:1].strip())
    return "\n".join(lines[start : next(after, len(lines))]).rstrip() + "\n"
