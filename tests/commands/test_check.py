"""`check` on a corpus that a script edited: the exact findings, the patch, and the check after the patch."""

import json

import pytest

DOCUMENTS = {
    "mq-backlog": """\
---
title: MQ 堆积
breadcrumb: [消息队列, MQ 堆积]
---
## 核心指标
先看 consumer_lag_total 的总量。再看它是否集中在个别分区上。最后对比生产速率。
## 常见原因
下游接口变慢，单条耗时上涨。消费者实例被缩容，副本不足。热点 key 集中在一个分区。
## 修复建议
先对下游限流，再扩大并发。实例不足时扩副本，不超过分区数。
""",
    "mq-install": """\
---
title: MQ 安装
breadcrumb: [消息队列, 安装]
---
## 安装步骤
下载安装包并解压到数据盘。修改 broker.conf 的监听地址。启动三个节点组成集群。
## 卸载步骤
先停掉全部 broker 进程。再删除数据盘上的目录。
""",
    "db-pool": """\
---
title: 连接池打满
breadcrumb: [数据库, 连接池]
---
## 核心指标
看 hikaricp_connections_pending 是否大于零。看活跃连接数是否到达上限。
## 修复建议
缩短事务，避免在事务里调用远程接口。把 maximumPoolSize 调到核数的两倍。
""",
}
GOLDEN = """\
# yaml-language-server: $schema=../../docs/retrieval-eval/schema/golden.schema.json
scenario: chat_lookup   # all of them are chat

cases:
  # the easy one
  - id: lag-metrics
    query: "积压看哪个指标"
    expected:
      documents:
        - {doc_id: mq-backlog, section: 核心指标, relevance: 3}   # the place
        - doc_id: mq-backlog   # in full
          section: 常见原因
          relevance: 2
      evidence:
        keywords: [consumer_lag_total]
        breadcrumbs: [[消息队列, MQ 堆积, 核心指标]]
    notes: 'stays   as it is'

  - id: pool-fix
    query: 连接池打满怎么修
    expected:
      documents: [{doc_id: db-pool, section: 修复建议}, {doc_id: db-pool, section: 核心指标}]
      evidence: {keywords: [maximumPoolSize]}
  - id: install
    query: 怎么装 broker
    expected:
      documents:
        - {doc_id: mq-install}
      evidence:
        keywords: [broker.conf]
"""


@pytest.fixture
def project(tmp_path, cli):
    (tmp_path / "data/corpus").mkdir(parents=True)
    (tmp_path / "data/golden").mkdir()
    for name, text in DOCUMENTS.items():
        (tmp_path / f"data/corpus/{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "data/golden/chat.yaml").write_text(GOLDEN, encoding="utf-8")
    done = cli("check", "--update-manifest")
    assert (done.returncode, done.stderr) == (
        0,
        "7 sections kept in data/corpus-manifest.jsonl\n3 cases, nothing to do\n",
    )
    return tmp_path


def edit(project, name, old, new):
    path = project / f"data/corpus/{name}.md"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def rename_document(project, old="db-pool", new="db-hikari"):
    (project / f"data/corpus/{old}.md").rename(project / f"data/corpus/{new}.md")


def rename_section(project, name="mq-backlog"):
    edit(project, name, "## 核心指标", "## 关键指标")


def move_section(project):
    text = "## 核心指标\n先看 consumer_lag_total 的总量。再看它是否集中在个别分区上。最后对比生产速率。\n"
    edit(project, "mq-backlog", text, "")
    path = project / "data/corpus/mq-install.md"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def split_section(project):
    edit(
        project,
        "mq-backlog",
        "## 常见原因\n下游接口变慢，单条耗时上涨。消费者实例被缩容，副本不足。",
        "## 下游原因\n下游接口变慢，单条耗时上涨。\n## 自身原因\n消费者实例被缩容，副本不足。",
    )


def merge_sections(project):
    edit(project, "db-pool", "## 修复建议\n", "")
    edit(project, "db-pool", "## 核心指标", "## 指标与修复")


def delete_section(project):
    text = "## 常见原因\n下游接口变慢，单条耗时上涨。消费者实例被缩容，副本不足。热点 key 集中在一个分区。\n"
    edit(project, "mq-backlog", text, "")


def rewrite_section(project):
    edit(project, "db-pool", "把 maximumPoolSize 调到核数的两倍。", "把池子放大一倍。")


def replace_text(project):
    edit(project, "db-pool", "看 hikaricp_connections_pending 是否大于零。看活跃连接数是否到达上限。", "全是别的话了。")


def delete_document(project):
    (project / "data/corpus/mq-install.md").unlink()


FIX = "or run `retrieval-eval check --fix`."
PATCHED = [
    (
        rename_document,
        [
            (
                "data/golden/chat.yaml:22:19: case pool-fix: the document 'db-pool' is not in the corpus: renamed, "
                f"now db-hikari#修复建议. Write db-hikari#修复建议, {FIX}"
            ),
            (
                "data/golden/chat.yaml:22:53: case pool-fix: the document 'db-pool' is not in the corpus: renamed, "
                f"now db-hikari#核心指标. Write db-hikari#核心指标, {FIX}"
            ),
        ],
        [
            "-      documents: [{doc_id: db-pool, section: 修复建议}, {doc_id: db-pool, section: 核心指标}]",
            "+      documents: [{doc_id: db-hikari, section: 修复建议}, {doc_id: db-hikari, section: 核心指标}]",
        ],
    ),
    (
        rename_section,
        [
            (
                "data/golden/chat.yaml:10:11: case lag-metrics: the document 'mq-backlog' has no section '核心指标': "
                f"renamed, now mq-backlog#关键指标. Write mq-backlog#关键指标, {FIX}"
            ),
            (
                "data/golden/chat.yaml:16:23: case lag-metrics: the breadcrumb '消息队列 > MQ 堆积 > 核心指标' stands "
                f"nowhere in the corpus: now '消息队列 > MQ 堆积 > 关键指标'. "
                f"Write '消息队列 > MQ 堆积 > 关键指标', {FIX}"
            ),
        ],
        [
            "-        - {doc_id: mq-backlog, section: 核心指标, relevance: 3}   # the place",
            "+        - {doc_id: mq-backlog, section: 关键指标, relevance: 3}   # the place",
            "-        breadcrumbs: [[消息队列, MQ 堆积, 核心指标]]",
            "+        breadcrumbs: [[消息队列, MQ 堆积, 关键指标]]",
        ],
    ),
    (
        move_section,
        [
            (
                "data/golden/chat.yaml:10:11: case lag-metrics: the document 'mq-backlog' has no section '核心指标': "
                f"moved, now mq-install#核心指标. Write mq-install#核心指标, {FIX}"
            ),
            (
                "data/golden/chat.yaml:16:23: case lag-metrics: the breadcrumb '消息队列 > MQ 堆积 > 核心指标' stands "
                f"nowhere in the corpus: now '消息队列 > 安装 > 核心指标'. Write '消息队列 > 安装 > 核心指标', {FIX}"
            ),
        ],
        [
            "-        - {doc_id: mq-backlog, section: 核心指标, relevance: 3}   # the place",
            "+        - {doc_id: mq-install, section: 核心指标, relevance: 3}   # the place",
            "-        breadcrumbs: [[消息队列, MQ 堆积, 核心指标]]",
            "+        breadcrumbs: [[消息队列, 安装, 核心指标]]",
        ],
    ),
    (
        split_section,
        [
            (
                "data/golden/chat.yaml:11:11: case lag-metrics: the document 'mq-backlog' has no section '常见原因': "
                "split, now mq-backlog#自身原因 and mq-backlog#下游原因. "
                f"Write mq-backlog#自身原因 and mq-backlog#下游原因, {FIX}"
            ),
        ],
        [
            "-          section: 常见原因",
            "+          section: 自身原因",
            "+        - {doc_id: mq-backlog, section: 下游原因, relevance: 2}",
        ],
    ),
    (
        merge_sections,
        [
            (
                "data/golden/chat.yaml:22:19: case pool-fix: the document 'db-pool' has no section '修复建议': merged, "
                f"now db-pool#指标与修复. Write db-pool#指标与修复, {FIX}"
            ),
            (
                "data/golden/chat.yaml:22:53: case pool-fix: the document 'db-pool' has no section '核心指标': merged, "
                f"now db-pool#指标与修复. Write db-pool#指标与修复, {FIX}"
            ),
        ],
        [
            "-      documents: [{doc_id: db-pool, section: 修复建议}, {doc_id: db-pool, section: 核心指标}]",
            "+      documents: [{doc_id: db-pool, section: 指标与修复}]",
        ],
    ),
]


@pytest.mark.parametrize(("script", "findings", "patch"), PATCHED, ids=lambda value: getattr(value, "__name__", ""))
def test_what_the_text_tells_is_found_and_patched_and_the_patch_makes_the_check_pass(
    project, cli, script, findings, patch
):
    script(project)
    done = cli("check", "--diff")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [*findings, f"{len(findings)} problem{'s' * (len(findings) > 1)}"]
    changed = [line for line in done.stdout.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == patch
    assert (project / "data/golden/chat.yaml").read_text(encoding="utf-8") == GOLDEN

    fixed = cli("check", "--fix")
    assert (fixed.returncode, fixed.stderr.splitlines()) == (
        0,
        [f"{len(findings)} of {len(findings)} findings fixed in data/golden/chat.yaml", "3 cases, nothing to do"],
    )
    after = (project / "data/golden/chat.yaml").read_text(encoding="utf-8").splitlines()
    kept = set(GOLDEN.splitlines()) - {line[1:] for line in patch}
    assert kept <= set(after)


LOST = "Label what answers the question now, or remove the label."
UNPATCHED = [
    (
        delete_section,
        [
            (
                "data/golden/chat.yaml:11:11: case lag-metrics: the document 'mq-backlog' has no section '常见原因', "
                f"and its text is gone. {LOST}"
            ),
        ],
    ),
    (
        rewrite_section,
        [
            (
                "data/golden/chat.yaml:23:29: case pool-fix: the keyword 'maximumPoolSize' stands in no expected "
                "document. Use words that the text has now, or correct the labels."
            ),
        ],
    ),
    (
        replace_text,
        [
            (
                "data/golden/chat.yaml:22:53: case pool-fix: the section '核心指标' of 'db-pool' holds another text "
                "than before. Label what answers the question now; `retrieval-eval check --update-manifest` keeps "
                "what still does."
            ),
        ],
    ),
    (
        delete_document,
        [
            (
                "data/golden/chat.yaml:28:11: case install: the document 'mq-install' is not in the corpus, "
                f"and its text is gone. {LOST}"
            ),
        ],
    ),
]


@pytest.mark.parametrize(("script", "findings"), UNPATCHED, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_gone_is_found_and_left_to_a_person(project, cli, script, findings):
    script(project)
    done = cli("check", "--fix")
    assert (done.returncode, done.stderr.splitlines()) == (2, [*findings, "1 problem"])
    assert (project / "data/golden/chat.yaml").read_text(encoding="utf-8") == GOLDEN


def test_labels_of_a_rewritten_section_are_kept_by_keeping_the_corpus_as_it_is_now(project, cli):
    replace_text(project)
    assert cli("check", "--update-manifest").returncode == 0
    assert cli("check").returncode == 0


def test_a_label_of_a_chunk_follows_it_and_keeps_what_else_is_written(project, cli):
    path = project / "data/golden/chat.yaml"
    chunk = "section: 核心指标, relevance: 1, chunk_ids: [mq-backlog#核心指标]}"
    path.write_text(GOLDEN.replace("section: 核心指标, relevance: 3}", chunk), encoding="utf-8")
    rename_document(project, "mq-backlog", "mq-lag")
    rename_section(project, "mq-lag")
    assert cli("check", "--fix").returncode == 0
    after = "{doc_id: mq-lag, section: 关键指标, relevance: 1, chunk_ids: [mq-lag#关键指标]}   # the place"
    assert after in path.read_text(encoding="utf-8")


def test_several_changes_at_once_are_patched_together(project, cli):
    for script in (rename_document, move_section, split_section):
        script(project)
    done = cli("check", "--fix", "--json")
    assert (done.returncode, json.loads(done.stdout)["findings"]) == (0, [])


def test_a_corpus_may_be_given_as_a_manifest_without_its_text(project, cli):
    (project / "data/corpus-manifest.jsonl").rename(project / "then.jsonl")
    rename_section(project)
    cli("check", "--manifest", "then.jsonl", "--fix")
    assert cli("check", "--manifest", "now.jsonl", "--update-manifest").returncode == 0
    (project / "data/golden/chat.yaml").write_text(GOLDEN, encoding="utf-8")
    done = cli("check", "--corpus", "now.jsonl", "--manifest", "then.jsonl", "--json")
    findings = json.loads(done.stdout)["findings"]
    assert [(finding["code"], finding["patched"]) for finding in findings] == [
        ("section_renamed", True),
        ("breadcrumb_gone", True),
    ]


def test_without_a_manifest_the_evidence_tells_a_lost_section_as_a_guess(project, cli):
    (project / "data/corpus-manifest.jsonl").unlink()
    rename_document(project)
    done = cli("check")
    assert done.stderr.splitlines()[0] == (
        "data/golden/chat.yaml:22:19: case pool-fix: the document 'db-pool' is not in the corpus: perhaps renamed, "
        f"now db-hikari#修复建议. Write db-hikari#修复建议, {FIX}"
    )


def test_the_same_question_twice_is_found_also_when_only_its_spelling_differs(project, cli):
    path = project / "data/golden/chat.yaml"
    path.write_text(GOLDEN.replace("怎么装 broker", "积压，看哪个指标？"), encoding="utf-8")
    done = cli("check")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            (
                "data/golden/chat.yaml:25:5: case install: the query '积压，看哪个指标？' is the same query, but for "
                "its spelling, as case lag-metrics in data/golden/chat.yaml:7. "
                "Delete one of the two, or let them ask different things."
            ),
            "1 problem",
        ],
    )


SHARING = GOLDEN.replace("[{doc_id: db-pool, section: 修复建议}, {", "[&fix {doc_id: db-pool, section: 修复建议}, {")
SAME = """\
  - id: pool-same
    query: 连接池修复步骤
    expected:
      documents: [ *fix ]   # the same place
      evidence: {keywords: [maximumPoolSize]}
"""
OTHER = """\
  - id: pool-other
    query: 连接池满了先做什么
    expected:
      documents: [*fix, {doc_id: db-hikari, section: 修复建议}]
      evidence: {keywords: [maximumPoolSize]}
"""


def test_a_change_that_all_who_share_a_text_need_is_made_once(project, cli):
    path = project / "data/golden/chat.yaml"
    path.write_bytes(("\ufeff" + SHARING + SAME).replace("\n", "\r\n").encode())
    rename_document(project)
    done = cli("check", "--fix")
    assert (done.returncode, done.stderr.splitlines()) == (
        0,
        ["3 of 3 findings fixed in data/golden/chat.yaml", "4 cases, nothing to do"],
    )
    after = ("\ufeff" + SHARING + SAME).replace("db-pool", "db-hikari").replace("\n", "\r\n")
    assert path.read_bytes().decode() == after


def test_what_an_alias_shares_with_others_is_left_and_said_and_everything_else_is_fixed(project, cli):
    path = project / "data/golden/chat.yaml"
    path.write_text(SHARING + OTHER, encoding="utf-8")
    rename_document(project)
    rename_section(project)
    left = "--fix leaves it, since an alias shares what is to change with other places"
    remedy = "Change it by hand, or write out what stands behind the alias and run `retrieval-eval check --fix`."
    gone = "the document 'db-pool' is not in the corpus: renamed, now"
    done = cli("check", "--fix")
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        [
            "3 of 5 findings fixed in data/golden/chat.yaml",
            f"data/golden/chat.yaml:22:19: case pool-fix: {gone} db-hikari#修复建议; {left}. {remedy}",
            f"data/golden/chat.yaml:22:19: case pool-other: {gone} db-hikari#修复建议; {left}. {remedy}",
            "2 problems",
        ],
    )
    after = SHARING.replace("mq-backlog, section: 核心指标", "mq-backlog, section: 关键指标")
    after = after.replace("MQ 堆积, 核心指标]", "MQ 堆积, 关键指标]")
    after = after.replace("{doc_id: db-pool, section: 核心指标}", "{doc_id: db-hikari, section: 核心指标}")
    assert path.read_text(encoding="utf-8") == after + OTHER
    told = json.loads(cli("check", "--json").stdout)["findings"]
    assert [finding["patched"] for finding in told] == [False] * 2
