"""A run as a whole, its rows in any order."""

from pathlib import Path

from stages.storage.trec.columns import Tally
from stages.storage.trec.run_file import RowsNotGroupedError, gather_lines, read_gathered_run, read_grouped_run


def read_run(path: Path, *, by_rank: bool = False) -> dict[bytes, dict[bytes, float]]:
    """Read each query's documents with their sort keys: higher is better.

    Raises:
        InputError: Everything wrong with the file.
    """
    try:
        return dict(read_grouped_run(path, Tally(), by_rank=by_rank))
    except RowsNotGroupedError:
        gathered = gather_lines(path, by_rank=by_rank)
        return dict(read_gathered_run(path, gathered.values(), Tally(), by_rank=by_rank))
