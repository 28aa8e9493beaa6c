"""Han text as words, by jieba's dictionary and ours, the same on every machine.

Only the dictionary decides (no hidden Markov model, which joins characters it has never seen together), and
words of three or more characters also give the dictionary words inside them, so 线程池 is found by 线程.
"""

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from stages.core.domain_words import DOMAIN_WORDS

if TYPE_CHECKING:
    from jieba import Tokenizer


def han_words(text: str) -> list[str]:
    """The words of a run of Han characters, in order; loading the dictionary takes half a second, once."""
    return list(_tokenizer().cut_for_search(text, HMM=False))


@lru_cache(maxsize=1)
def _tokenizer() -> "Tokenizer":
    # A tokenizer of our own: the global one can be changed by any other user in the process, writes a
    # cache into the temporary folder and logs to stderr. Filling the tables here avoids all three.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    for word in DOMAIN_WORDS:
        tokenizer.add_word(word)
    return tokenizer
