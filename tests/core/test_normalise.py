"""What looks the same to a reader is compared as the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.normalise import normalise


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("Consumer  LAG", "consumer lag"),
        ("consumer_lag", "consumer lag"),
        ("consumer-lag!", "consumer lag"),
        ("ＣＰＵ　使用率", "cpu使用率"),
        ("MQ 堆积", "mq堆积"),
        ("MQ堆积", "mq堆积"),
        ("컨슈머 랙", "컨슈머랙"),
        ("p99 > 500 ms", "p99>500 ms"),
        ("ﬁle", "file"),
        ("Straße", "strasse"),
        ("cafe\u0301", "café"),
        ("C++", "c++"),
        ("a\u200bb\u202ec", "a b c"),
        ("—…！", ""),
        ("", ""),
        ("核心指标（一）", "核心指标一"),
    ],
)
def test_folding(written: str, compared: str) -> None:
    assert normalise(written) == compared


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
