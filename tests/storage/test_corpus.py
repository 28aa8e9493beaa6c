"""A corpus is a folder of Markdown or a JSONL file, and every fault in it is named with its place."""

from pathlib import Path

import pytest

from stages.records.problem import InputError
from stages.storage.corpus import read_corpus

DOCUMENT = """---
title: MQ 堆积排查手册
category: runbook
breadcrumb: [消息队列, "2026", MQ 堆积]
lang: zh
keywords: [consumer lag, no, 12:30, 010]
weight: {of: another tool}
---
开头一段。

## 核心指标
看 consumer lag。
```
## 这不是标题
```
## 常见原因 ##
消费者太慢。
### 细节
仍属于上一节。
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def problems_of(path: Path, root: Path) -> list[str]:
    with pytest.raises(InputError) as fault:
        read_corpus(path)
    return [str(problem).replace(f"{root}/", "") for problem in fault.value.problems]


def test_each_second_level_heading_makes_a_chunk(tmp_path):
    write(tmp_path, "mq-backlog.md", DOCUMENT)
    intro, causes, metrics = read_corpus(tmp_path)
    assert (intro.chunk_id, intro.section, intro.content) == ("mq-backlog", None, "开头一段。")
    assert metrics.chunk_id == "mq-backlog#核心指标"
    assert metrics.breadcrumb == ("消息队列", "2026", "MQ 堆积", "核心指标")
    assert "## 这不是标题" in metrics.content
    assert causes.section == "常见原因"
    assert causes.content == "消费者太慢。\n### 细节\n仍属于上一节。"
    assert (causes.title, causes.category, causes.lang, causes.source) == (
        "MQ 堆积排查手册",
        "runbook",
        "zh",
        "mq-backlog.md",
    )


def test_front_matter_texts_stay_as_written(tmp_path):
    """YAML 1.1 would read these keywords as False, 750 and 8."""
    write(tmp_path, "a.md", DOCUMENT)
    assert read_corpus(tmp_path)[0].keywords == ("consumer lag", "no", "12:30", "010")


def test_a_plain_folder_of_markdown_is_a_corpus(tmp_path):
    write(tmp_path, "net/DiskFull.md", "# Disk is full\n\nSome words.\n\n## Impact\n\nWrites fail.\n")
    write(tmp_path, "bare.md", "Only text.\n")
    bare, whole, impact = read_corpus(tmp_path)
    assert (bare.doc_id, bare.title, bare.section, bare.breadcrumb) == ("bare", "bare", None, ())
    assert (whole.chunk_id, whole.title, whole.content) == ("net/DiskFull", "Disk is full", "Some words.")
    assert (impact.chunk_id, impact.breadcrumb, impact.source) == (
        "net/DiskFull#Impact",
        ("Impact",),
        "net/DiskFull.md",
    )


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_an_unclosed_or_longer_fence_hides_headings_to_its_end(tmp_path, fence):
    write(
        tmp_path, "a.md", f"## One\n{fence}sh\n## not\n{fence[:3]} x\n## nor\n{fence}\n## Two\n{fence}\n## swallowed\n"
    )
    assert [chunk.section for chunk in read_corpus(tmp_path)] == ["One", "Two"]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("---\ntitle: a\n", ["a.md:1:1: the front matter is not closed. End it with a line of three dashes."]),
        ("---\n- a\n---\n", ["a.md:2:1: the front matter is no mapping. Write lines like `title: ...`."]),
        (
            "---\ntitle: a\nkeyword: [b]\ntitle: c\n---\n",
            [
                "a.md:3:1: 'keyword' is no key of the front matter. Write 'keywords'.",
                "a.md:4:1: the key 'title' stands here a second time. Keep one of the two.",
            ],
        ),
        (
            "---\ntitle: [a]\nkeywords: b\nbreadcrumb: [c, '']\n---\n",
            [
                "a.md:2:8: 'title' holds something that is empty or no text. Write one text.",
                "a.md:3:11: 'keywords' is no list. Write a list of texts, as in `keywords: [a, b]`.",
                "a.md:4:17: 'breadcrumb' holds something that is empty or no text. Write a list of texts.",
            ],
        ),
        (
            "---\ntitle: a: b\n---\n",
            ["a.md:2:9: the front matter is no YAML: mapping values are not allowed here. Quote the value or mend it."],
        ),
        (
            "---\ntitle: a\x07\n---\n",
            [
                (
                    "a.md:1:1: the front matter is no YAML: it holds a control character, or is nested too deep. "
                    "Quote the value or mend it."
                )
            ],
        ),
        (
            "## A\nx\n## \n## A\n",
            [
                "a.md:3:1: the heading has no text. Name the section.",
                (
                    "a.md:4:1: the section 'A' stands here a second time (first on line 1). "
                    "Rename one of the two, or join them."
                ),
            ],
        ),
    ],
)
def test_faults_in_a_document_are_named(tmp_path, text, messages):
    write(tmp_path, "a.md", text)
    assert problems_of(tmp_path, tmp_path) == messages


def test_faults_of_all_files_come_at_once(tmp_path):
    write(tmp_path, "b.md", "---\ntitle: a\n")
    write(tmp_path, "a b.md", "text")
    assert problems_of(tmp_path, tmp_path) == [
        (
            "a b.md: the file name 'a b.md' cannot be a document id: it holds white space, '#' or a control character. "
            "Rename the file, for instance to mq-backlog.md."
        ),
        "b.md:1:1: the front matter is not closed. End it with a line of three dashes.",
    ]


def test_an_empty_or_missing_corpus_is_a_fault(tmp_path):
    (tmp_path / "empty").mkdir()
    assert problems_of(tmp_path / "empty", tmp_path) == [
        "empty: the corpus is empty. Add a Markdown file, or a line with a chunk."
    ]
    assert problems_of(tmp_path / "none", tmp_path) == [
        "none: there is no such corpus. Name a folder of *.md or a *.jsonl file."
    ]


def test_a_jsonl_of_chunks_is_a_corpus(tmp_path):
    lines = (
        '{"docId": "k/Down", "section": "Meaning", "ord": 0, "title": "Down", "text": "first"}\n'
        '{"docId": "k/Down", "section": "Meaning", "ord": 1, "title": "Down", "text": "second"}\n'
        '{"_id": "0012", "title": "", "text": "BEIR", "metadata": {}}\n'
    )
    beir, first, second = read_corpus(write(tmp_path, "chunks.jsonl", lines))
    assert (beir.chunk_id, beir.doc_id, beir.section, beir.breadcrumb) == ("0012", "0012", None, ())
    assert (first.chunk_id, first.breadcrumb, first.source) == ("k/Down#Meaning", ("Meaning",), "chunks.jsonl")
    assert (second.chunk_id, second.content) == ("k/Down#Meaning~2", "second")


def test_faults_in_a_jsonl_name_their_line(tmp_path):
    lines = (
        '{"docId": "a"}\n[1]\n{"docId": 7, "text": "x"}\n\n'
        '{"docId": "b", "chunkId": "c", "text": "x"}\n{"docId": "d", "chunkId": "c", "text": "x"}\n'
    )
    assert problems_of(write(tmp_path, "chunks.jsonl", lines), tmp_path) == [
        "chunks.jsonl: the chunk id 'c' is used twice. Give each chunk an id of its own.",
        "chunks.jsonl:1:1: the chunk has no content. Give it one of content, text.",
        "chunks.jsonl:2:1: the line is no JSON object. Write one chunk a line.",
        "chunks.jsonl:3:1: doc_id is 7: input should be a valid string. Correct the value; ids and texts are strings.",
    ]


def test_the_shipped_corpus_reads_without_fault():
    chunks = read_corpus(Path(__file__).parents[2] / "data" / "corpus")
    assert len({chunk.doc_id for chunk in chunks}) >= 1
    assert all(chunk.content for chunk in chunks)
