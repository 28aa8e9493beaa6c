"""Files that are wrong, or odd: each has its message and place, or its documented meaning."""

import gzip
import os

import pytest

from stages.records.problem import InputError
from stages.storage.trec.columns import Tally
from stages.storage.trec.judgment_file import read_judgments
from stages.storage.trec.run_file import RowsNotGroupedError, gather_lines, read_gathered_run, read_grouped_run

GOOD = b"q1 Q0 a 1 2.5 r\n"


def read_scattered_run(path, tally, *, by_rank):
    yield from read_gathered_run(path, gather_lines(path, by_rank=by_rank).values(), tally, by_rank=by_rank)


def run_of(path, content, reader=read_grouped_run, *, by_rank=False):
    path.write_bytes(content)
    tally = Tally()
    return dict(reader(path, tally, by_rank=by_rank)), tally


def problems(path, content, reader=read_grouped_run, *, by_rank=False):
    with pytest.raises(InputError) as caught:
        run_of(path, content, reader, by_rank=by_rank)
    return [str(problem).replace(f"{path}", "run") for problem in caught.value.problems]


NOTHING = {
    "an empty file": (b"", "run: the file is empty: it holds no rows. Check the name."),
    "only a BOM": (b"\xef\xbb\xbf", "run: the file is empty: it holds no rows. Check the name."),
    "only comments": (
        b"# a\n# b\n",
        (
            "run: the file holds no rows: 2 of its 2 lines begin with # and are comments. "
            "Check the name, or give ids that do not begin with #."
        ),
    ),
}
RUNS = {
    "five columns": (
        GOOD + b"q1 Q0 b 1 2.5\n",
        "run:2: the row has 5 columns: 'q1 Q0 b 1 2.5'. A run has six: query, Q0, document, rank, score, run name.",
    ),
    "five and seven columns, six on average": (
        b"q1 Q0 b 1 2.5\nq1 Q0 a 1 2.5 r x\n",
        "run:1: the row has 5 columns: 'q1 Q0 b 1 2.5'. A run has six: query, Q0, document, rank, score, run name.",
    ),
    "a NaN": (GOOD + b"q1 Q0 b 1 NaN r\n", "run:2:11: the score 'NaN' has no place in an order. Write a number."),
    "a word": (b"q1\tQ0  b 1 high r\n", "run:1:12: the score 'high' is not a number. Write a decimal."),
    "an underscore": (b"q1 Q0 b 1 1_0 r\n", "run:1:11: the score '1_0' is not a plain number. Write a decimal."),
    "a hexadecimal": (b"q1 Q0 b 1 0x1 r\n", "run:1:11: the score '0x1' is not a number. Write a decimal."),
    "a comma": ("q1 Q0 \u00e9 1 1,5 r\n".encode(), "run:1:11: the score '1,5' is not a number. Write a decimal."),
    "other digits": (
        "q1 Q0 b 1 \u0663 r\n".encode(),
        "run:1:11: the score '\u0663' is not a number. Write a decimal.",
    ),
    "a document twice": (
        GOOD + b"q1 Q0 b 2 2 r\nq1 Q0 a 3 1 r\n",
        "run:3: document 'a' was ranked for query 'q1' already, in line 1. Remove one of the rows.",
    ),
    "a lone surrogate": (
        b"q1 Q0 a\xed\xa0\x80 1 1 r\n",
        "run:1:8: the byte 0xed is not UTF-8. Save the file as UTF-8.",
    ),
    "Latin-1": (b"q1 Q0 caf\xe9 1 1 r\n", "run:1:10: the byte 0xe9 is not UTF-8. Save the file as UTF-8."),
    "UTF-16": (
        "q1 Q0 a 1 1 r\n".encode("utf-16"),
        "run:1:1: the file is UTF-16. Save it as UTF-8.",
    ),
    "a NUL that looks like an end": (
        b"q1 Q0 a 1 1 r \0 q1 Q0 b 2 1 r\n",
        "run:1:15: the row holds a NUL byte. Save the file as plain UTF-8 text.",
    ),
    "an empty line": (GOOD + b"\n" + b"q1 Q0 b 2 1 r\n", "run:2: the line is empty. Remove it."),
    "a line of blanks": (GOOD + b" \t \n", "run:2: the line is empty. Remove it."),
    "old Mac line ends, which would be one long row": (
        b"q1 Q0 a 1 2 r\rq1 Q0 b 2 1 r\r",
        "run:1:14: a carriage return stands within the line. End lines with a line feed.",
    ),
    "a carriage return instead of one line end": (
        GOOD + b"q1 Q0 b 2 2 r\rq1 Q0 c 3 1 r\n",
        "run:2:14: a carriage return stands within the line. End lines with a line feed.",
    ),
    "a row behind a comment and a carriage return": (
        b"# made by hand\rq1 Q0 b 2 2 r\n" + GOOD,
        "run:1:15: a carriage return stands within the line. End lines with a line feed.",
    ),
    "a carriage return for a blank": (
        b"q1 Q0 b\r1 2 r\n",
        "run:1:8: a carriage return stands within the line. End lines with a line feed.",
    ),
    "a file with a BOM behind another": (
        b"\xef\xbb\xbf" + GOOD + b"\xef\xbb\xbfq2 Q0 a 1 2 r\n",
        "run:2:1: a byte order mark stands here, as where files were joined. Remove it.",
    ),
    "a file with a BOM behind one without a last line end": (
        b"q1 Q0 a 1 2 r\xef\xbb\xbfq1 Q0 b 1 2 r\n",
        "run:1:14: a byte order mark stands here, as where files were joined. Remove it.",
    ),
    "a file with a BOM behind a comment without a line end": (
        GOOD + b"# the end\xef\xbb\xbfq1 Q0 b 1 2 r\n",
        "run:2:10: a byte order mark stands here, as where files were joined. Remove it.",
    ),
    "a BOM in an id": (
        GOOD + "q1 Q0 \ufeffb 1 2 r\n".encode(),
        "run:2:7: a byte order mark stands here, as where files were joined. Remove it.",
    ),
}


@pytest.mark.parametrize(("content", "message"), NOTHING.values(), ids=NOTHING.keys())
def test_a_run_without_rows_is_refused(tmp_path, content, message):
    assert problems(tmp_path / "run", content) == [message]


@pytest.mark.parametrize("reader", [read_grouped_run, read_scattered_run])
@pytest.mark.parametrize(("content", "message"), RUNS.values(), ids=RUNS.keys())
def test_a_wrong_run_is_refused_with_its_place(tmp_path, reader, content, message):
    assert message in problems(tmp_path / "run", content, reader)


def test_every_fault_is_told_at_once(tmp_path):
    content = b"q1 Q0 a 1 x r\n" + GOOD + b"short\n"
    assert [text.split(" ")[0] for text in problems(tmp_path / "run", content)] == ["run:1:11:", "run:3:"]


def test_a_file_full_of_faults_does_not_fill_the_screen(tmp_path):
    told = problems(tmp_path / "run", b"short\n" * 1000)
    assert len(told) == 101
    assert told[-1] == "run:101: 900 more rows have faults, from here or below. Mend those above first."


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path):
    path = tmp_path / "run"
    with path.open("wb") as file:
        file.write(GOOD)
        file.truncate(300 * 1024 * 1024)
    with pytest.raises(InputError) as caught:
        list(read_grouped_run(path, Tally(), by_rank=False))
    assert str(caught.value) == f"{path}:2: the line is longer than 1048576 bytes. Break it up, or cut it."


def test_the_line_that_is_too_long_is_counted_beyond_the_first_block(tmp_path):
    content = b"\xef\xbb\xbf" + b"".join(b"q Q0 d%d 1 1 r\n" % number for number in range(9999)) + b"x" * (2 << 20)
    for name, data in (("plain", content), ("packed.gz", gzip.compress(content))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=rf"{name}:10000: the line is longer than 1048576 bytes"):
            list(read_grouped_run(tmp_path / name, Tally(), by_rank=False))


def test_infinite_scores_have_a_place_in_an_order(tmp_path):
    found, _ = run_of(tmp_path / "run", b"q1 Q0 a 1 inf r\nq1 Q0 b 2 -Infinity r\nq1 Q0 c 3 1e999 r\n")
    assert found == {b"q1": {b"a": float("inf"), b"b": float("-inf"), b"c": float("inf")}}


def test_a_no_break_space_is_part_of_an_id_as_in_c(tmp_path):
    found, _ = run_of(tmp_path / "run", "q1 Q0 a\u00a0b 1 1 r\n".encode())
    assert found == {b"q1": {"a\u00a0b".encode(): 1.0}}


def test_what_only_looks_wrong_is_read(tmp_path):
    """BOM, CRLF, tabs, blanks around, no final line end, # inside ids, ids that look like numbers or like nothing."""
    content = b"\xef\xbb\xbf007\tQ0  NA 1 2 r\r\n 007 Q0 doc#4_2 2 1e-3 r \r\n# a remark\r\n007 Q0 1e3 3 .5 r"
    found, tally = run_of(tmp_path / "run", content)
    assert found == {b"007": {b"NA": 2.0, b"doc#4_2": 0.001, b"1e3": 0.5}}
    assert (tally.rows, tally.comments, tally.tag) == (3, 1, "r")


def test_carriage_returns_before_a_line_feed_are_part_of_the_line_end(tmp_path):
    """As after two programs that each wrote CRLF."""
    content = b"q1 Q0 a 1 2 r\r\r\nq1 Q0 b 2 1 r\r\nq1 Q0 c 3 0 r\n"
    assert run_of(tmp_path / "run", content)[0] == {b"q1": {b"a": 2.0, b"b": 1.0, b"c": 0.0}}


def test_more_than_six_columns_are_counted_and_ignored(tmp_path):
    found, tally = run_of(tmp_path / "run", GOOD + b"q1 Q0 b 2 1 r and more\n")
    assert (found, tally.wide) == ({b"q1": {b"a": 2.5, b"b": 1.0}}, 1)


def test_rows_that_are_not_grouped_are_noticed_and_read_the_other_way(tmp_path):
    content = b"q1 Q0 a 1 2 r\nq2 Q0 a 1 2 r\nq1 Q0 b 2 1 r\n"
    with pytest.raises(RowsNotGroupedError):
        run_of(tmp_path / "run", content)
    found, tally = run_of(tmp_path / "run", content, read_scattered_run)
    assert found == {b"q1": {b"a": 2.0, b"b": 1.0}, b"q2": {b"a": 2.0}}
    assert tally.rows == 3


def test_a_document_twice_is_found_far_apart_too(tmp_path):
    """The two rows stand in different blocks, with other queries between them."""
    filler = b"".join(b"q%d Q0 a 1 1 r\n" % number for number in range(5000))
    content = b"q1x Q0 a 1 2 r\n" + filler + b"q1x Q0 a 2 1 r\n"
    assert problems(tmp_path / "run", content, read_scattered_run) == [
        "run:5002: document 'a' was ranked for query 'q1x' already, in line 1. Remove one of the rows."
    ]


JUDGMENTS = {
    "a fraction": (
        b"q1 0 a 0.5\n",
        (
            "qrels:1:8: the grade '0.5' is not an integer. "
            "Grades are whole numbers: 0 and below is not relevant, 1 and above is."
        ),
    ),
    "old Mac line ends": (
        b"q1 0 a 1\rq1 0 b 1\r",
        "qrels:1:9: a carriage return stands within the line. End lines with a line feed.",
    ),
    "a file with a BOM behind another": (
        b"q1 0 a 1\n\xef\xbb\xbfq2 0 a 1\n",
        "qrels:2:1: a byte order mark stands here, as where files were joined. Remove it.",
    ),
    "five columns": (
        b"q1 0 a 1 x\n",
        "qrels:1: the row has 5 columns: 'q1 0 a 1 x'. A judgment has four: query, iteration, document, grade.",
    ),
    "one column": (
        b"q1\n",
        "qrels:1: the row has 1 column: 'q1'. A judgment has four: query, iteration, document, grade.",
    ),
    "two signs": (b"q1 0 a +-1\n", "qrels:1:8: the grade '+-1' is not an integer. Write one sign."),
    "a huge grade": (b"q1 0 a 5000\n", "qrels:1:8: the grade '5000' is out of range. Use grades from -1000 to 1000."),
    "thousands of digits": (
        b"q1 0 a " + b"9" * 5000 + b"\n",
        "qrels:1:8: the grade '" + "9" * 57 + "...' is not an integer. "
        "Grades are whole numbers: 0 and below is not relevant, 1 and above is.",
    ),
    "the same twice": (
        b"q1 0 a 1\nq2 0 a 1\nq1 0 a 1\n",
        (
            "qrels:3: document 'a' was judged for query 'q1' already, with the same grade, in line 1. "
            "Remove one of the rows."
        ),
    ),
    "a contradiction": (
        b"q1 0 a 1\nq1 0 a 2\n",
        (
            "qrels:2: document 'a' was judged for query 'q1' already, with grade 1 and not 2, in line 1. "
            "Remove one of the rows."
        ),
    ),
    "nothing": (b"", "qrels: the file is empty: it holds no judgments. Check the name."),
}


@pytest.mark.parametrize(("content", "message"), JUDGMENTS.values(), ids=JUDGMENTS.keys())
def test_a_wrong_judgment_is_refused_with_its_place(tmp_path, content, message):
    path = tmp_path / "qrels"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_judgments(path, Tally())
    assert [str(problem).replace(str(path), "qrels") for problem in caught.value.problems] == [message]


def test_signs_and_negative_grades_are_read(tmp_path):
    path = tmp_path / "qrels"
    path.write_bytes(b"q1 0 a +2\nq1 0 b -1\n")
    assert read_judgments(path, Tally()) == {b"q1": {b"a": 2, b"b": -1}}


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "cut.gz").write_bytes(gzip.compress(GOOD * 1000)[:-20])
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    os.write(writer, GOOD)
    told = {}
    for name in ("missing", ".", "cut.gz", "pipe"):
        with pytest.raises(InputError) as caught:
            list(read_grouped_run(tmp_path / name, Tally(), by_rank=False))
        told[name] = str(caught.value).replace(f"{tmp_path}/", "").replace(str(tmp_path), ".")
    os.close(writer)
    assert told == {
        "missing": "missing: there is no such file. Check the name.",
        ".": ".: the file cannot be read: Is a directory. Check its kind and permissions.",
        "cut.gz": (
            "cut.gz: the gzip data is damaged: Compressed file ended before the end-of-stream marker was reached. "
            "Compress the file again."
        ),
        "pipe": "pipe: this is no regular file, and it may have to be read twice. Save it to a file first.",
    }
