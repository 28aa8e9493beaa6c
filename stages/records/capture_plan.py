"""What a capture set out to do, kept beside its answers until it is done."""

from stages.records.record import Record


class CapturePlan(Record):
    """`digest` is of the service's description and topK: answers to another request are not mixed in."""

    started_at: str
    digest: str
    case_ids: tuple[str, ...]
