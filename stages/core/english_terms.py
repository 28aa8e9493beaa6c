"""A word in Latin (or any other alphabetic) script as index terms: folded, stemmed, and taken apart.

Folding is Lucene's English chain: lower case, possessive off, 33 stop words out, Porter's stemmer.
"""

import re
from typing import Final

import Stemmer

# Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.
_STOP_TEXT: Final = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they
this to was will with
"""
STOP_WORDS: Final = frozenset(_STOP_TEXT.split())
_POSSESSIVE: Final = ("'s", "’s")
_IDENTIFIER: Final = re.compile(r"[_.:·](?=\d*[A-Za-z])|[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
# XMLParser -> XML, Parser; consumerLag -> consumer, Lag; P99 and http2 stay whole.
_PART: Final = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\W\d_A-Za-z]+")


def english_terms(word: str, identifier_parts: bool) -> list[str]:
    """The terms of one word: its stem, and for camelCase, snake_case and dotted names the stems of the parts.

    Stop words, and parts of one letter, say nothing and are left out.
    """
    folded = word.lower()
    if folded.endswith(_POSSESSIVE):
        folded = folded[:-2]
    if folded in STOP_WORDS:
        return []
    terms = [_stem(folded)]
    if identifier_parts and _IDENTIFIER.search(word):
        parts = (part.lower() for part in _PART.findall(word) if len(part) > 1)
        terms.extend(_stem(part) for part in parts if part not in STOP_WORDS)
    return terms


def _stem(word: str) -> str:
    # PyStemmer's objects must not be shared between threads; making one costs less than a microsecond.
    # Porter's rules leave nothing of a lone `s`.
    return Stemmer.Stemmer("porter", 0).stemWord(word) or word
