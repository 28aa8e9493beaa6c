"""What a redactor hides, and what it leaves alone."""

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
