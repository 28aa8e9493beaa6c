"""`audit` as a program, on a project of two cases."""

import json

import pytest

PARAMS = """\
topK: 3
cutoffs: [1]
hit_levels: {min_keyword_coverage: 0.6, primary_grain: section}
paths:
  fixture: {dir: data/fixtures/baseline, relevance_floor: null}
thresholds: {}
gate:
  max_strong_drops: 0
  max_regressions: 0
  max_losses: null
  max_removed: 0
  max_drop: {}
  keep_last_strong: []
  group_floors: {}
  unjudged_drops: fail
  inconclusive_exit_code: 3
audit: {keep: 1, shift: 3, min_cases: 2}
"""
GOLDEN = """\
scenario: s
cases:
  - id: found
    query: q
    fault_type: F
    expected:
      documents: [{doc_id: mq, section: 原因}]
      evidence: {keywords: [变慢]}
  - id: lost
    query: r
    fault_type: G
    expected:
      documents: [{doc_id: db, section: 原因}]
      evidence: {keywords: [锁]}
"""


@pytest.fixture
def project(tmp_path):
    for name, text in {"mq": "消费者变慢", "db": "锁等待", "net": "丢包"}.items():
        path = tmp_path / f"data/corpus/{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\ntitle: {name}\nbreadcrumb: [{name}]\n---\n## 原因\n{text}\n", encoding="utf-8")
    (tmp_path / "data/golden").mkdir()
    (tmp_path / "data/golden/a.yaml").write_text(GOLDEN, encoding="utf-8")
    (tmp_path / "params.yaml").write_text(PARAMS, encoding="utf-8")
    folder = tmp_path / "data/fixtures/baseline"
    folder.mkdir(parents=True)
    (folder / "recording.json").write_text('{"path": "fixture", "status": "ready"}', encoding="utf-8")
    texts = {"mq": "消费者变慢", "net": "丢包"}
    for case_id, query, order in (("found", "q", ("mq", "net")), ("lost", "r", ("net", "mq"))):
        candidates = [
            {"rank": rank, "doc_id": name, "section": "原因", "chunk_id": f"{name}#原因", "content": texts[name]}
            for rank, name in enumerate(order, 1)
        ]
        recording = {"case_id": case_id, "query": query, "top_k": 10, "candidates": candidates}
        (folder / f"{case_id}.json").write_text(json.dumps(recording, ensure_ascii=False), encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("project")
def test_the_report_and_the_required_share(cli):
    done = cli("audit", "--require", "0.9")
    assert done.returncode == 1
    assert (
        done.stderr == "0.3636 of the mutants killed, 0.9 required; blind: G, flood_duplicates, shift_ranks, truncate\n"
    )
    assert done.stdout.startswith(
        "# Audit of the golden set\n\n"
        "**36.4 % of 11 mutants are noticed** by the gate over the recordings of `fixture`. "
        "Blind fault types: `G`. Blind kinds of damage: `flood_duplicates`, `shift_ranks`, `truncate`.\n"
    )
    assert cli("audit", "--json").stdout == cli("audit", "--json").stdout
    report = json.loads(cli("audit", "--json").stdout)
    assert (report["mutants"], report["killed"], report["killed_share"]) == (11, 4, 0.363636)
    assert report["by_damage"]["drop_first"] == {"mutants": 2, "killed": 1, "killed_share": 0.5}


@pytest.mark.usefixtures("project")
def test_a_path_that_does_not_exist_is_one_clear_line(cli):
    done = cli("audit", "--path", "live")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "params.yaml: there is no path 'live'. The paths are fixture.",
    )


def test_a_key_that_is_missing_says_what_it_takes(project, cli):
    text = PARAMS.replace("shift: 3", "shift: three")
    (project / "params.yaml").write_text(text, encoding="utf-8")
    done = cli("audit")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        2,
        "params.yaml:17:18: audit.shift is 'three', which is no whole number. audit takes keep, shift and min_cases.",
    )
