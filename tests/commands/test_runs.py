"""`runs` as a program."""

import json

GOLDEN = """\
scenario: s
cases:
  - id: a
    query: q
    expected:
      documents: [{doc_id: mq, section: 原因, chunk_ids: [c7]}]
      evidence: {keywords: [k]}
"""


def test_stored_aggregates_are_compared_also_with_an_older_file(cli, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"hit_at_k": {"1": 0.5}, "mrr": 0.5, "total_queries": 4}))
    (tmp_path / "b.json").write_text(
        json.dumps({"hit_at_k": {"1": 0.75}, "mrr": 0.25, "precision_at_k_chunk": {"5": 0.2}, "total_queries": 4})
    )
    done = cli("runs", "a.json", "b.json")
    assert done.stdout.splitlines() == [
        "| metric | before | after | change |",
        "|---|---|---|---|",
        "| hit@1 | 0.5000 | 0.7500 | +0.2500 |",
        "| mrr | 0.5000 | 0.2500 | -0.2500 |",
        "| total_queries | 4 | 4 | +0.0000 |",
        "| precision_chunk@5 | – | 0.2000 | – |",
    ]


def recorded(folder, chunk_id, chunker):
    candidate = {"rank": 1, "doc_id": "mq", "section": "原因", "chunk_id": chunk_id}
    recording = {"case_id": "a", "query": "q", "top_k": 5, "candidates": [candidate]}
    folder.mkdir()
    text = json.dumps({**recording, "provenance": {"chunker_version": chunker}})
    (folder / "a.json").write_text(text, encoding="utf-8")


def test_other_chunkers_fall_back_to_document_and_section_and_strict_refuses(cli, tmp_path):
    (tmp_path / "golden.yaml").write_text(GOLDEN, encoding="utf-8")
    recorded(tmp_path / "before", "c7", "md@1")
    recorded(tmp_path / "after", "x9", "md@2")
    done = cli("runs", "before", "after", "--golden", "golden.yaml")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "0 win, 0 loss, 0 regression, 1 draw")
    assert done.stderr.splitlines() == [
        "the chunkers differ (md@1 and md@2), so chunk ids cannot be compared; compared by document and section.",
        "1 cases compared, 0 left out: not answered on both sides.",
    ]
    refused = cli("runs", "before", "after", "--golden", "golden.yaml", "--strict")
    assert (refused.returncode, refused.stderr.splitlines()[0]) == (
        2,
        (
            "after: the chunkers differ (md@1 and md@2), so chunk ids cannot be compared. "
            "Record both with one chunker, or leave out --strict to compare by document and section."
        ),
    )


def test_a_folder_against_a_file_is_refused(cli, tmp_path):
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b").mkdir()
    done = cli("runs", "a.json", "b")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "a.json: one run is a folder and the other a file. Give two of a kind.",
    )
