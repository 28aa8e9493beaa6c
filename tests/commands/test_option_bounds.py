"""Numbers on the command line that mean nothing are refused, and never taken for the default."""

import sys

import pytest

from stages.__main__ import main

NOT_ONE_TO_1000 = "is not between 1 and 1000"
NO_SHARE = "is not between 0 and 1"
BOUNDS = [
    *(("show case --depth", value, NOT_ONE_TO_1000) for value in ("0", "-1", "1001")),
    *(("new --id a question --depth", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("bounds --top-k", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("evaluate --top-k", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("evaluate --cutoffs", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("capture bm25 --top-k", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("live --top-k", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("serve --concurrency", value, NOT_ONE_TO_1000) for value in ("0", "-1")),
    *(("bounds --min-keyword-coverage", value, NO_SHARE) for value in ("-0.1", "1.1", "nan")),
    *(("audit --require", value, NO_SHARE) for value in ("-1", "80", "nan")),
    *(("tune --share", value, NO_SHARE) for value in ("-1", "2", "nan")),
    *(("tune --k", value, "is not between 0 and 100000") for value in ("-1", "inf", "nan")),
    *(("trec qrels run --level", value, "is no grade of a relevant document") for value in ("0", "-1")),
]


@pytest.mark.parametrize(("words", "value", "why"), BOUNDS)
def test_a_number_out_of_bounds_is_refused(monkeypatch, capsys, words, value, why):
    monkeypatch.setattr(sys, "argv", ["retrieval-eval", *words.split(), value])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert f"{value} {why}" in capsys.readouterr().err
