"""The knowledge base's stored aggregates (`aggregate.json`), read; nothing writes them here."""

from pathlib import Path

from stages.records.aggregates import Aggregates
from stages.storage.json_file import read_json
from stages.storage.record_file import to_record


def read_aggregates(path: Path) -> Aggregates:
    """Read the aggregates of one run, older files included.

    Raises:
        InputError: no JSON, an unknown field, a key that is no whole number, or a value that is no number.
    """
    data = read_json(path)
    if isinstance(data, dict) and isinstance(data.get("aggregate"), dict):
        data = data["aggregate"]
    return to_record(data, Aggregates, str(path), remedy="Check that the file holds one run's aggregates")
