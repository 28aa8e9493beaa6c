"""`retrieval-eval bounds`: what hangs on the order of equal scores, and on candidates nobody judged."""

import json

GOLDEN = """\
scenario: chat_lookup
cases:
  - id: tied
    query: q
    expected:
      documents: [{doc_id: a}]
      evidence: {keywords: [seen]}
  - id: clear
    query: q
    expected:
      documents: [{doc_id: a}, {doc_id: b, relevance: 0}]
      evidence: {keywords: [seen]}
"""


def record(folder, case_id, scored):
    candidates = [
        {"rank": rank, "doc_id": name, "content": "seen", "score": score}
        for rank, (name, score) in enumerate(scored, 1)
    ]
    recording = {"case_id": case_id, "query": "q", "top_k": 10, "candidates": candidates}
    folder.mkdir(exist_ok=True)
    (folder / f"{case_id}.json").write_text(json.dumps(recording), encoding="utf-8")


def written(tmp_path):
    (tmp_path / "cases.yaml").write_text(GOLDEN, encoding="utf-8")
    record(tmp_path / "found", "tied", [("x", 2), ("y", 1), ("a", 1)])
    record(tmp_path / "found", "clear", [("b", 3), ("a", 2)])
    return ["bounds", "--golden", "cases.yaml", "--fixtures", "found", "--top-k", "2"]


def test_a_tie_across_top_k_changes_the_level_and_the_metrics(cli, tmp_path):
    done = cli(*written(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    rows = done.stdout.splitlines()
    assert rows[0] == "1 cases hang on the order of equal scores."
    assert "| tied | level | miss | miss | strong |" in rows
    assert "| tied | recall_at_k | 0 | 0 | 1 |" in rows
    assert "| tied | mrr | 0 | 0 | 0.5000 |" in rows
    assert not [row for row in rows if "| clear |" in row]


def test_unjudged_candidates_are_read_both_ways(cli, tmp_path):
    """In `tied` both of the first two are unjudged; in `clear` everything is judged."""
    means = {one["name"]: one for one in json.loads(cli(*written(tmp_path), "--json").stdout)["unjudged"]}
    assert means["hit_at_k"] == {"name": "hit_at_k", "irrelevant": 0.5, "relevant": 1.0, "n": 2}
    assert means["precision_at_k"] == {"name": "precision_at_k", "irrelevant": 0.25, "relevant": 0.75, "n": 2}


WORDS = "nowhere: there is no such folder of recordings. Name it with --fixtures, or capture one.\n1 problem\n"


def test_a_folder_that_is_not_there_is_named(cli, tmp_path):
    (tmp_path / "cases.yaml").write_text(GOLDEN, encoding="utf-8")
    done = cli("bounds", "--golden", "cases.yaml", "--fixtures", "nowhere")
    assert (done.returncode, done.stderr) == (2, WORDS)
