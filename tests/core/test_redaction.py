"""What a redactor hides, and what it leaves alone."""

import json
from base64 import b64encode, urlsafe_b64encode
from time import process_time
from urllib.parse import quote

import pytest

from stages.core.redaction import HIDDEN, Redactor


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("hunter22", "key=hunter22;", "key=${X};"),
        ("a/b c&d", "q=a%2Fb%20c%26d", "q=${X}"),
        ("a/b c&d", "q=a%2Fb+c%26d", "q=${X}"),
        ("user:pass", "Basic dXNlcjpwYXNz", "Basic ${X}"),
        ('quo"te\\d', 'said "quo\\"te\\\\d"', 'said "${X}"'),
        ("密钥密钥", "\\u5bc6\\u94a5\\u5bc6\\u94a5 密钥密钥", "${X} ${X}"),
        ("Bearer abcdefgh", "got abcdefgh", "got ${X}"),
        ("https://user:word1@rag.internal:8443/x", "rag.internal said no to word1", "${X} said no to ${X}"),
        ("http://localhost:8080", "see localhost, not http://localhost:8080/x", "see localhost, not ${X}/x"),
        ("abc", "abc", "abc"),
        ("http://[bad", "http://[bad", "${X}"),
    ],
)
def test_a_value_is_named_however_it_is_spelled(value, text, expected):
    assert Redactor({"X": value}).text(text) == expected


def test_the_longest_value_goes_first():
    assert Redactor({"A": "secret", "B": "secret-and-more"}).text("secret-and-more secret") == "${B} ${A}"


def test_keys_that_name_secrets_are_hidden_and_counters_are_not():
    redactor = Redactor({}, ("Trace",))
    value = {"access_token": "a", "X-Api-Key": "b", "trace": [1], "max_tokens": 5, "token": 7, "keep": ["x", None, 1.5]}
    assert redactor.value(value) == {
        "access_token": HIDDEN,
        "X-Api-Key": HIDDEN,
        "trace": HIDDEN,
        "max_tokens": 5,
        "token": 7,
        "keep": ["x", None, 1.5],
    }


def test_a_secret_number_is_hidden_where_it_is_a_number():
    assert Redactor({"PIN": "123456"}).value([123456, 1234567, True, 12]) == ["${PIN}", "${PIN}7", True, 12]


def test_a_sentence_is_cut_after_the_secret_is_out():
    said = Redactor({"X": "s" * 40}).sentence("a" * 490 + "s" * 40)
    assert said == "a" * 490 + "${X}"
    assert Redactor({}).sentence("a\n b\t" + "c" * 600) == "a b " + "c" * 495 + "…"


ODD = 'Hunt/er2+lo?ng ü"\\~\U0001f511>>x'
BASE = "http://us%2Fer:Hunter2-long@rag.test:8080/"


@pytest.mark.parametrize("behind", ["", "z", "zz", ":"])
@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
@pytest.mark.parametrize("secret", ["Hunter2-long", ODD, "\xff\xfe\xff\xfe>>>???", "word"])
def test_base64_hides_nothing_however_it_is_aligned(secret, encode, before, behind):
    """Only what also hangs on the neighbours stays: before it two signs at most of the first letter's group."""
    text = encode(f"{before}{secret}{behind}".encode()).decode()
    start = -(-8 * len(before) // 6)
    for spelled in (text, text.rstrip("="), text.replace("/", "\\/"), quote(text, safe="")):
        said = Redactor({"X": secret}).text(f"<{spelled}>")
        kept = f"<{text[:start]}${{X}}"
        assert said.startswith(kept)
        assert len(said) - len(kept) <= 1 + 3 * (len(behind) * 2 + 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Basic dXMvZXI6SHVudGVyMi1sb25n", "Basic ${X}"),
        ("us/er:Hunter2-long", "${X}"),
        ("us%2Fer us%2fer us/er us\\/er", "${X} ${X} ${X} ${X}"),
        (b64encode(b"Hunter2-long").decode(), "${X}"),
        (b64encode(b"us/er").decode(), "${X}"),
    ],
)
def test_the_login_of_an_address_is_hidden_whole_and_each_alone(text, expected):
    assert Redactor({"X": BASE}).text(text) == expected


def test_a_secret_parameter_of_an_address_is_hidden_alone():
    redactor = Redactor({"X": "http://rag.test/?api_key=hunter22&size=1000"})
    assert redactor.text("hunter22, 1000") == "${X}, 1000"


SPELLINGS = {
    "plain": ODD,
    "json": json.dumps(ODD)[1:-1],
    "json in json": json.dumps(json.dumps(ODD))[3:-3],
    "json in json in json": json.dumps(json.dumps(json.dumps(ODD)))[7:-7],
    "php": json.dumps(ODD).replace("/", "\\/")[1:-1],
    "php in json": json.dumps(json.dumps(ODD).replace("/", "\\/"))[3:-3],
    "unicode escapes": ODD.replace("\\", "\\u005C").replace("/", "\\u002f").replace(">", "\\u003E"),
    "all unicode escapes": "".join(f"\\u{ord(sign):04X}" for sign in ODD if sign < "\U00010000"),
    "percent": quote(ODD, safe=""),
    "percent, small": quote(ODD, safe="").replace("%2F", "%2f").replace("%C3%BC", "%c3%bc"),
    "percent, twice": quote(quote(ODD, safe=""), safe=""),
    "percent, thrice": quote(quote(quote(ODD, safe=""), safe=""), safe=""),
    "percent, everything": "".join(f"%{octet:02x}" for octet in ODD.encode()),
    "octets of Python": repr(ODD.encode())[2:-1],
    "html": ODD.replace('"', "&quot;").replace(">", "&gt;").replace("/", "&#x2F;").replace("+", "&#43;"),
    "hex": ODD.encode().hex(),
    "hex, capital": ODD.encode().hex().upper(),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_escapes_and_encodings_hide_nothing(name):
    secret = "".join(sign for sign in ODD if sign < "\U00010000") if name == "all unicode escapes" else ODD
    assert Redactor({"X": secret}).text(f"a {SPELLINGS[name]} z") == "a ${X} z"


@pytest.mark.parametrize("secret", ['\\"' * 15, "\\" * 40, "%25" * 20, "a/" * 20])
@pytest.mark.parametrize("text", ["\\" * 200_000, '\\\\\\"' * 60_000, "%25" * 60_000, "a\\/" * 60_000])
def test_no_answer_makes_the_search_slow(secret, text):
    redactor = Redactor({"X": secret})
    began = process_time()
    redactor.text(f"{text}!")
    assert process_time() - began < 10
