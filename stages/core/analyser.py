"""Text as index terms, by script. The same function reads the corpus and the query; it keeps no state."""

import re
import unicodedata
from typing import Final

from stages.core.english_terms import english_terms
from stages.core.han_words import han_words

_HAN: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
# Hangul syllables and kana have no spaces where the words end, or particles glued to them.
_PAIRED: Final = r"\uac00-\ud7a3\u3040-\u30ff"
_WORD: Final = rf"[^\W{_HAN}{_PAIRED}]"
# Unicode's word boundaries (UAX 29, WB6-WB12): a dot inside a name and a comma inside a number do not end it.
_RUN: Final = re.compile(
    rf"(?P<han>[{_HAN}]+)|(?P<paired>[{_PAIRED}]+)"
    rf"|(?P<word>{_WORD}(?:{_WORD}|(?<=[^\W\d_])[.:'·’](?=[A-Za-z])|(?<=\d)[.,;'’](?=\d))*)"
)


def analyse(text: str, identifier_parts: bool = True) -> list[str]:
    """The terms of `text`, in order and with repetitions: what BM25 counts.

    Han runs become dictionary words, Hangul and kana runs overlapping pairs (a lone character stands for
    itself), everything else lower-case Porter stems. With `identifier_parts`, `mq_consumer_lag` and
    `consumerLag` are also found by their parts. Compatibility forms (full width, ligatures) are folded.
    """
    terms: list[str] = []
    for run in _RUN.finditer(unicodedata.normalize("NFKC", text)):
        if run["han"]:
            terms.extend(han_words(run["han"]))
        elif run["paired"]:
            terms.extend(_pairs(run["paired"]))
        else:
            terms.extend(english_terms(run["word"], identifier_parts))
    return terms


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]
