"""The corpus manifest on disk: one line a section, so that a git diff is local."""

from pathlib import Path

from stages.records.corpus_manifest import ManifestEntry
from stages.storage.json_file import read_json_lines
from stages.storage.record_file import to_record


def read_manifest(path: Path) -> list[ManifestEntry]:
    """Return the entries of a manifest; one that was never written is empty.

    Raises:
        InputError: a line is no entry.
    """
    if not path.exists():
        return []
    remedy = "Write it anew: retrieval-eval check --update-manifest"
    return [to_record(value, ManifestEntry, str(path), line, remedy) for line, value in read_json_lines(path)]
