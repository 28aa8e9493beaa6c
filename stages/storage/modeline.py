"""The first line of a YAML file, from which editors know its schema."""

from pathlib import Path

SCHEMAS = "docs/retrieval-eval/schema"


def modeline(file: Path, kind: str) -> str:
    """Return the line for a file at this place, or nothing where no folder above it has a schema of this kind."""
    schema = f"{SCHEMAS}/{kind}.schema.json"
    for depth, folder in enumerate(file.resolve().parents):
        if (folder / schema).is_file():
            return f"# yaml-language-server: $schema={'../' * depth}{schema}\n"
    return ""
