"""Terms by script: each kind of writing is found by what people type."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.analyser import analyse

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Consumers are lagging behind", ["consum", "lag", "behind"]),
        ("the broker's logs", ["broker", "log"]),
        ("mq_consumer_lag_high", ["mq_consumer_lag_high", "mq", "consum", "lag", "high"]),
        ("consumerLag KubeAPIDown", ["consumerlag", "consum", "lag", "kubeapidown", "kube", "api", "down"]),
        ("java.lang.OutOfMemoryError", ["java.lang.outofmemoryerror", "java", "lang", "out", "memori", "error"]),
        ("URLs of XMLParser", ["url", "xmlparser", "xml", "parser"]),
        ("error:timeout 12:30 v1.2.3", ["error:timeout", "error", "timeout", "12", "30", "v1.2.3"]),
        ("1,000 P99 3.5", ["1,000", "p99", "3.5"]),
        ("ＭＱ　积压", ["mq", "积压"]),
        ("线程池耗尽", ["线程", "线程池", "耗尽"]),
        ("MQ积压order-events", ["mq", "积压", "order", "event"]),
        ("컨슈머 지연", ["컨슈", "슈머", "지연"]),
        ("キュー", ["キュ", "ュー"]),
        ("키", ["키"]),
        ("don't", ["don't"]),
        ("", []),
        (" \t，。!?—", []),
    ],
)
def test_text_becomes_terms(text, terms):
    assert analyse(text) == terms


def test_identifier_parts_can_be_left_out():
    assert analyse("mq_consumer_lag consumerLag", identifier_parts=False) == ["mq_consumer_lag", "consumerlag"]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_analysed_and_no_term_is_empty(text):
    assert all(analyse(text))


@settings(deadline=None)  # the first example loads the dictionary
@given(st.text(alphabet="消息队列积压线程池幂等的了"), st.text(alphabet="abc _.9"))
def test_han_and_latin_do_not_disturb_each_other(han, latin):
    assert analyse(f"{han} {latin}") == analyse(han) + analyse(latin)


@pytest.mark.parametrize("unit", ["1.", "a_", "A.b", "aB", "x", "线程", "가", "'"])
def test_a_very_long_word_takes_no_more_than_its_share_of_time(unit):
    analyse("线")
    started = time.process_time()
    analyse(unit * 20_000)
    assert time.process_time() - started < 2


def test_threads_get_the_same_terms():
    texts = ["running consumers 线程池", "retries 幂等 keys"] * 200
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(analyse, texts)) == [analyse(text) for text in texts]


def test_a_fresh_process_writes_no_cache_and_says_nothing(tmp_path):
    """The word library would write its dictionary into the temporary folder and log to stderr."""
    code = "from stages.core.analyser import analyse; print(analyse('接口幂等'))"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == str(analyse("接口幂等"))
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_words_added_by_another_user_of_the_library_change_nothing(tmp_path):
    before = analyse("甲乙丙丁")
    jieba = sys.modules["jieba"]
    jieba.dt.tmp_dir = str(tmp_path)
    jieba.setLogLevel("ERROR")
    jieba.add_word("甲乙丙丁")
    assert jieba.lcut("甲乙丙丁") == ["甲乙丙丁"]
    assert analyse("甲乙丙丁") == before
