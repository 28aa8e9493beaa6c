"""What `new` shows of the corpus for a question."""

from collections.abc import Mapping, Sequence

from stages.records.found_section import FoundSection
from stages.rendering.markdown_text import plain_line

SHOWN = 60


def found_screen(found: Sequence[FoundSection], beside: Sequence[FoundSection], failures: Mapping[str, str]) -> str:
    """Return numbered sections: those found with their ranks and first words, then the others of these documents."""
    lines = [f"{name}: not asked, {reason}" for name, reason in failures.items()]
    lines += ["Found:"] if found else ["Nothing was found."]
    lines += [_line(number, one) for number, one in enumerate(found, 1)]
    if beside:
        lines.append("Other sections of these documents:")
        lines += [_line(number, one) for number, one in enumerate(beside, len(found) + 1)]
    return "\n".join(lines) + "\n"


def _line(number: int, one: FoundSection) -> str:
    chunk = one.chunk
    place = chunk.doc_id if chunk.section is None else f"{chunk.doc_id} # {chunk.section}"
    ranks = f"  ({', '.join(f'{name} {rank}' for name, rank in sorted(one.ranks.items()))})" if one.ranks else ""
    return f"{number:>4}  {place}{ranks}\n      {plain_line(chunk.content, SHOWN)}"
