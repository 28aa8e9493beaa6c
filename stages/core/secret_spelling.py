"""The spellings of a secret, as patterns: what escapes and encodings make of it on its way through a service."""

import html
import re
from base64 import b64encode

# As deep as escapes are looked for: JSON within JSON within JSON, `%25252F`. Bounded, so that no answer makes it slow.
ESCAPES = r"\\{0,7}+"
PERCENT = "%(?:25){0,3}"
CONTROLS = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
ANY_BASE64 = r"[A-Za-z0-9+/_\-]"
URL_SAFE = str.maketrans("+/", "-_")


def spellings(secret: str) -> list[str]:
    r"""Return patterns that find a secret; each begins with a plain letter, by which the search is quick.

    Letters beyond A to Z and all punctuation may be spelled each in its own way; every letter at once as percent
    encoding or as `\u0041`; the whole in hex, and in base64 with whatever before and behind it.
    """
    octets = secret.encode("utf-8", "surrogateescape")
    return [*_mixed(secret), _percents(secret), _units(secret), octets.hex(), octets.hex().upper(), *_base64(octets)]


def _mixed(secret: str) -> list[str]:
    first, *rest = re.findall(r"(\\*)([A-Za-z0-9]+|[^\\]|$)", secret)
    tail = "".join(_any_of(_sign(*part)) for part in rest)
    return [start + tail for start in _sign(*first)]


def _any_of(patterns: list[str]) -> str:
    return patterns[0] if len(patterns) == 1 else f"(?:{'|'.join(patterns)})"


def _sign(backslashes: str, sign: str) -> list[str]:
    """Return the spellings of one sign, or of a run of letters and digits, with the backslashes before it."""
    plain = [sign] if not sign or re.fullmatch("[A-Za-z0-9]+", sign) else _punctuation(sign)
    if not backslashes:
        return plain
    count = len(backslashes)
    # Once they match they stay matched: else an answer full of backslashes could be tried in very many ways.
    doubled = rf"\\(?>\\{{{count - 1},{8 * count - 1}}}{_any_of(plain)})"
    return [doubled, *(_encoded("\\") * count + _any_of(plain) for _encoded in (_percents, _units))]


def _punctuation(sign: str) -> list[str]:
    octets = sign.encode("utf-8", "surrogateescape")
    code = ord(sign)
    named = html.escape(sign)
    entities = [f"&#0{{0,4}}{code};", f"&#[xX]0{{0,4}}{_hex(f'{code:x}')};"] + ([named] if named != sign else [])
    escapes = "".join(rf"\\{ESCAPES}x{_hex(f'{octet:02x}')}" for octet in octets)
    escaped = [re.escape(sign), rf"\\{ESCAPES}{re.escape(sign)}"]
    control = [rf"\\{ESCAPES}{CONTROLS[sign]}"] if sign in CONTROLS else []
    return [_percents(sign), _units(sign), escapes, *entities, *escaped, *control, *(["\\+"] if sign == " " else [])]


def _percents(text: str) -> str:
    return "".join(PERCENT + _hex(f"{octet:02x}") for octet in text.encode("utf-8", "surrogateescape"))


def _units(text: str) -> str:
    r"""Return the pattern of `\u002f`, for a letter beyond the first 65536 of two of them."""
    units = text.encode("utf-16-be", "surrogatepass").hex()
    return "".join(rf"\\{ESCAPES}u{_hex(units[at : at + 4])}" for at in range(0, len(units), 4))


def _hex(digits: str) -> str:
    return "".join(f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits)


def _base64(octets: bytes) -> list[str]:
    """Return the base64 of the octets behind 0, 1 and 2 others: what does not hang on these, and what may follow."""
    found = []
    for before in range(3):
        bits = 8 * (before + len(octets))
        text = b64encode(bytes(before) + octets).decode()[-(-8 * before // 6) : bits // 6]
        end = f"(?:{ANY_BASE64}(?:{'|'.join(_punctuation('='))}){{0,2}})?" if bits % 6 else ""
        found += [start + end for alphabet in sorted({text, text.translate(URL_SAFE)}) for start in _mixed(alphabet)]
    return found
