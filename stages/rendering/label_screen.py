"""What the labelling terminal shows of one candidate."""

import textwrap
import unicodedata
from collections.abc import Sequence

from stages.records.label_item import LabelItem

KEYS = "3 answers fully   2 main place   1 helps   0 wrong   s put off   u undo   q quit"
LINES = 16


def label_screen(item: LabelItem, labels: Sequence[str], left: int, width: int) -> str:
    """Return the screen: the question, its labels, the candidate's text, what its label would move, and the keys."""
    rule = "─" * width
    place = f"{item.doc_id} (the whole document)" if item.section is None else f"{item.doc_id} # {item.section}"
    ranks = ", ".join(f"{path} {rank}" for path, rank in item.paths.items())
    moves = f"level {item.level} → {item.level_if_relevant} if relevant, swing {item.swing:.2f}"
    text = _cut(item.content, width)
    known = "\n".join(_wrap(f"    {label}", width) for label in labels)
    return "\n".join(
        [
            rule,
            _wrap(f"case {item.case_id}   ({left} left)", width),
            _wrap(f"  {_visible(item.query)}", width),
            "  labelled already:",
            known,
            rule,
            _wrap(f"{place}   {_visible(item.title or '')}", width),
            _wrap(f"rank: {ranks};  {moves}", width),
            "",
            text,
            rule,
            KEYS,
        ]
    )


def _cut(text: str, width: int) -> str:
    lines = [line for part in text.splitlines() for line in _wrap(_visible(part), width).split("\n")]
    return "\n".join(lines[:LINES] + (["…"] if len(lines) > LINES else []))


def _wrap(text: str, width: int) -> str:
    """Wrap by columns: a Chinese or Korean sign takes two, so half as many fit on a line of them."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    share = wide / len(text) if text else 0.0
    return "\n".join(textwrap.wrap(text, max(20, int(width / (1 + share)) - 1), drop_whitespace=False) or [""])


def _visible(text: str) -> str:
    """Show control characters by their code: a text must not steer the terminal."""
    return "".join(f"(U+{ord(sign):04X})" if unicodedata.category(sign)[0] == "C" else sign for sign in text)
