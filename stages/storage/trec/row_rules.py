"""What a row must have, and the error of one that has not."""

RUN_COLUMNS = 6
JUDGMENT_COLUMNS = 4
MAX_GRADE = 1000
BOM = b"\xef\xbb\xbf"


class RowError(Exception):
    """What is wrong with one row, and at which byte of it (from 0; None: the whole row)."""

    def __init__(self, message: str, remedy: str, byte: int | None = None) -> None:
        super().__init__(message)
        self.message, self.remedy, self.byte = message, remedy, byte
