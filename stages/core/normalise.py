"""Text as it is compared: what looks the same to a reader is the same."""

import re
import unicodedata
from functools import lru_cache

# Chinese, Japanese and Korean are written with and without blanks around words and numbers; the comparison
# must not care. The same goes for blanks around operators, as in "p99 > 500ms".
_TIGHT = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff<>=+|~^$"
_LOOSE_BLANK = re.compile(f"(?<=[{_TIGHT}]) | (?=[{_TIGHT}])")


class _Folding(dict[int, str]):
    """Code point to what stands for it: a blank for punctuation, separators and controls, else itself."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = " " if unicodedata.category(character)[0] in "PZC" else character
        return self[code]


_FOLDING = _Folding()


@lru_cache(maxsize=65_536)
def normalise(text: str) -> str:
    """Return `text` after NFKC, case folding, and folding of white space and punctuation into single blanks.

    Blanks beside Chinese, Japanese or Korean characters and beside operators vanish.
    """
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _LOOSE_BLANK.sub("", " ".join(composed.translate(_FOLDING).split()))
